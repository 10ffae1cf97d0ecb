/** Names a browser by its User-Agent, which is untrusted input, for example `Safari on an iPhone`. */
export function nameBrowser(userAgent: string): string {
  const find = (names: [RegExp, string][]) => names.find(([pattern]) => pattern.test(userAgent))?.[1];
  return `${find(BROWSERS) ?? 'A browser'} on ${find(DEVICES) ?? 'a device'}`;
}

/** In this order, because a User-Agent may also contain the names further down. */
const BROWSERS: [RegExp, string][] = [
  [/Edg(e|A|iOS)?\//, 'Edge'],
  [/OPR\/|Opera/, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/(Headless)?Chrome\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];

const DEVICES: [RegExp, string][] = [
  [/iPhone/, 'an iPhone'],
  [/iPad/, 'an iPad'],
  [/Android/, 'Android'],
  [/Macintosh/, 'a Mac'],
  [/Windows/, 'Windows'],
  [/CrOS/, 'a Chromebook'],
  [/Linux/, 'Linux'],
];
