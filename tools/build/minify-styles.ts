import { Features, transform } from 'lightningcss';

/** Version 16.4. */
const SAFARI = (16 << 16) | (4 << 8);

/** Minifies styles for browsers of 2023, the first with every feature that the styles need. */
export function minifyStyles(source: string): string {
  const { code } = transform({
    filename: 'styles.css',
    code: Buffer.from(source),
    minify: true,
    include: Features.Nesting,
    // No style uses `light-dark()`, so it needs no fallback.
    exclude: Features.LightDark,
    targets: {
      chrome: 120 << 16,
      edge: 120 << 16,
      firefox: 113 << 16,
      safari: SAFARI,
      ios_saf: SAFARI,
    },
  });
  return Buffer.from(code).toString();
}
