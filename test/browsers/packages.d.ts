// The part that the tests use of a package that is installed with them alone, so that the type check does not need it.
declare module 'puppeteer-core' {
  type Page = {
    setDefaultTimeout: (ms: number) => void;
    goto: (url: string) => Promise<unknown>;
    locator: (selector: string) => { click: () => Promise<void> };
    keyboard: { press: (key: string) => Promise<void> };
    evaluate: (expression: string) => Promise<unknown>;
    setViewport: (size: { width: number; height: number }) => Promise<void>;
  };
  export function launch(options: {
    browser: 'firefox';
    executablePath: string;
  }): Promise<{ newPage: () => Promise<Page>; close: () => Promise<void> }>;
}
