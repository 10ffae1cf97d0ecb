// The part of the package that these tests use: it is installed only for them, so the type check can't read its types.
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
