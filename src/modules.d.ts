declare module '*.css';

/** A file as a string. */
declare module '*?raw' {
  const text: string;
  export default text;
}

/** A browser program as a string of JavaScript (tools/build/script-plugin.ts). */
declare module '*?script' {
  const text: string;
  export default text;
}

declare module 'subset-font' {
  type Axes = Record<string, number | { min: number; max: number }>;

  /** Subsets a font to the characters in a string; axes can be pinned to a value or narrowed to a range. */
  export default function subsetFont(
    font: Uint8Array,
    text: string,
    options: { targetFormat: 'woff2' | 'truetype'; keepFeatures: string[]; variationAxes?: Axes },
  ): Promise<Buffer>;
}
