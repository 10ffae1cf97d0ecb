declare module 'subset-font' {
  /** Cuts a font down to the characters of a text; axes can be pinned to a value or narrowed to a range. */
  export default function subsetFont(
    font: Uint8Array,
    text: string,
    options: {
      targetFormat: 'woff2' | 'sfnt';
      /** OpenType features that stay; all of them unless said otherwise. */
      keepFeatures?: string[];
      variationAxes?: Record<string, number | { min: number; max: number }>;
    },
  ): Promise<Uint8Array>;
}
