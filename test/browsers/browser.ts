/** A browser with one page, as much of it as the walk needs; each engine has a driver that makes one. */
export type Browser = {
  /** Opens an address and waits until the page has loaded. */
  open: (url: string) => Promise<void>;
  /** Scrolls to what an XPath finds, and clicks it as a hand would. */
  click: (xpath: string) => Promise<void>;
  /** Presses a key by its name, such as `a` or `ArrowLeft`, for what has the focus. */
  press: (key: string) => Promise<void>;
  /** Runs a function in the page; what it is given and gives back must be JSON. */
  evaluate: <Given extends unknown[], Result>(run: (...given: Given) => Result, ...given: Given) => Promise<Result>;
  resize: (width: number, height: number) => Promise<void>;
  close: () => Promise<void>;
};
