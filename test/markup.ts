import { type ConfigData, HtmlValidate } from 'html-validate';

const asBuilt: ConfigData = {
  root: true,
  extends: ['html-validate:recommended', 'html-validate:document'],
  rules: {
    // How React spells what HTML lets be spelt in several ways.
    'attr-case': 'off',
    'attribute-boolean-style': 'off',
    'attribute-empty-style': 'off',
    'void-style': 'off',
    // A link may take its name from a tooltip that is hidden; axe knows that.
    'wcag/h30': 'off',
    // src/launch-check/check-built-site.ts has a shorter limit, and says what to do.
    'long-title': 'off',
    // Files of this site need no hash.
    'require-sri': ['error', { target: 'crossorigin' }],
    // The cookie banner comes before the page and has a heading of its own.
    'heading-level': ['error', { minInitialRank: 'h2' }],
  },
};

const hydrated: ConfigData = {
  ...asBuilt,
  rules: {
    ...asBuilt.rules,
    // The toast library moves its parts by script, which writes them here; its region is no section of the page.
    'no-inline-style': 'off',
    'prefer-native-element': ['error', { exclude: ['region'] }],
  },
};

const validators = { asBuilt: new HtmlValidate(asBuilt), hydrated: new HtmlValidate(hydrated) };

/**
 * @param state as the build wrote it, or as it is in a browser once its parts are hydrated
 * @returns what html-validate finds in a page, as `line:column rule: message`
 */
export async function markupFindings(html: string, state: 'asBuilt' | 'hydrated' = 'asBuilt'): Promise<string[]> {
  const { results } = await validators[state].validateString(html);
  return results.flatMap(({ messages }) =>
    messages.map(({ line, column, ruleId, message }) => `${line}:${column} ${ruleId}: ${message}`),
  );
}
