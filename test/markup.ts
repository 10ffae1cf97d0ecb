import { type ConfigData, HtmlValidate } from 'html-validate';

const asBuilt: ConfigData = {
  root: true,
  extends: ['html-validate:recommended', 'html-validate:document'],
  rules: {
    // HTML allows several forms; this is React's.
    'attr-case': 'off',
    'attribute-boolean-style': 'off',
    'attribute-empty-style': 'off',
    'void-style': 'off',
    // Safari doesn't treat a list without markers as a list unless it has the role.
    'no-redundant-role': 'off',
    // A hidden tooltip may name a link; axe agrees.
    'wcag/h30': 'off',
    // The content schemas limit the length.
    'long-title': 'off',
    // The site's own files need no integrity hash.
    'require-sri': ['error', { target: 'crossorigin' }],
    // The cookie banner with its heading comes before the page's h1.
    'heading-level': ['error', { minInitialRank: 'h2' }],
  },
};

const hydrated: ConfigData = {
  ...asBuilt,
  rules: {
    ...asBuilt.rules,
    // The toast script fills this region, which isn't a section of the page.
    'no-inline-style': 'off',
    'prefer-native-element': ['error', { exclude: ['region'] }],
  },
};

const validators = { asBuilt: new HtmlValidate(asBuilt), hydrated: new HtmlValidate(hydrated) };

/**
 * @param state as built, or as in a browser after hydration
 * @returns what html-validate finds in a page, as `line:column rule: message`
 */
export async function markupFindings(html: string, state: 'asBuilt' | 'hydrated' = 'asBuilt'): Promise<string[]> {
  const { results } = await validators[state].validateString(html);
  return results.flatMap(({ messages }) =>
    messages.map(({ line, column, ruleId, message }) => `${line}:${column} ${ruleId}: ${message}`),
  );
}
