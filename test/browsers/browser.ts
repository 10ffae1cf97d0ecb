/** A browser with one page: only what the tests need; each engine has a driver. */
export type Browser = {
  /** Opens a URL and waits until the page has loaded. */
  open: (url: string) => Promise<void>;
  /** Scrolls to the element that an XPath finds, and clicks it with the mouse. */
  click: (xpath: string) => Promise<void>;
  /** Presses a key by its name, such as `a` or `ArrowLeft`. */
  press: (key: string) => Promise<void>;
  /** Runs a function in the page; its arguments and result must be JSON. */
  evaluate: <Given extends unknown[], Result>(run: (...given: Given) => Result, ...given: Given) => Promise<Result>;
  resize: (width: number, height: number) => Promise<void>;
  close: () => Promise<void>;
};
