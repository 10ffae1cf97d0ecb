import tokens from '#shared/tokens.css?raw';

/** The design's colours and typefaces as plain values, since mail programs know no custom properties. */
export type MailTokens = {
  light: Record<MailColour, string>;
  dark: Record<MailColour, string>;
  serif: string;
  sans: string;
};

const MAIL_COLOURS = ['paper', 'card', 'ink', 'soft', 'line', 'amber', 'deep', 'on-deep', 'sun', 'on-sun'] as const;
export type MailColour = (typeof MAIL_COLOURS)[number];

/**
 * @param css the stylesheet of tokens: light values first, dark ones in a `prefers-color-scheme: dark` block
 * @throws when a token that mails use is missing
 */
export function readMailTokens(css: string): MailTokens {
  const rules = [...css.matchAll(/(?:@media ([^{]+?)\s*\{\s*)?:root\s*\{([^}]*)\}/g)];
  const within = (isMeant: (condition: string) => boolean) =>
    customProperties(rules.flatMap(([, condition = '', text = '']) => (isMeant(condition) ? [text] : [])).join('\n'));
  const light = within((condition) => condition === '');
  const dark = new Map([...light, ...within((condition) => condition.includes('prefers-color-scheme: dark'))]);
  const colours = (values: Map<string, string>) =>
    Object.fromEntries(MAIL_COLOURS.map((name) => [name, valueOf(name, values)])) as Record<MailColour, string>;
  return {
    light: colours(light),
    dark: colours(dark),
    serif: withoutFallbackFace(valueOf('serif', light)),
    sans: withoutFallbackFace(valueOf('sans', light)),
  };
}

function customProperties(css: string): Map<string, string> {
  return new Map(
    [...css.matchAll(/--([\w-]+):\s*([^;]+);/g)].map(([, name = '', value = '']) => [
      name,
      value.replaceAll(/\s+/g, ' ').trim(),
    ]),
  );
}

function valueOf(name: string, values: Map<string, string>): string {
  const value = values.get(name);
  if (value === undefined) throw new Error(`tokens.css: --${name} is missing; mails use it`);
  const other = /^var\(--([\w-]+)\)$/.exec(value)?.[1];
  return other === undefined ? value : valueOf(other, values);
}

/** The site measures its fallback faces itself; a mail program has only the families. */
function withoutFallbackFace(family: string): string {
  return family.replace(/'[^']*Fallback[^']*',\s*/, '');
}

export const MAIL_TOKENS = readMailTokens(tokens);
