// What the bench uses of packages that are installed with it alone, so that the type check needs none of them.
declare module 'lighthouse' {
  type Result = {
    lhr: { audits: Record<string, { numericValue?: number } | undefined>; runtimeError?: { message: string } };
  };
  export default function lighthouse(
    url: string,
    flags: { port: number; onlyCategories: string[]; logLevel: 'error' },
  ): Promise<Result | undefined>;
}

declare module 'chrome-launcher' {
  export function launch(options: {
    chromePath: string;
    chromeFlags: string[];
  }): Promise<{ port: number; kill: () => void }>;
}

declare module 'sirv' {
  type Options = { brotli: true; gzip: true; etag: true };
  export default function sirv(folder: string, options: Options): import('node:http').RequestListener;
}
