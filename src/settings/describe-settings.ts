import { listSettings, type Setting } from './environment.ts';

/** The text of `.env.example`: every setting, commented out. */
export function describeEnvFile(): string {
  return [ENV_FILE_HEADER, ...listSettings().map(toEnvLines)].join('\n');
}

/** The table of docs/settings.md. */
export function describeSettingsTable(): string {
  const rows = listSettings().map(
    ({ name, meaning, defaultValue, whenUnset }) =>
      `| \`${name}\` | ${meaning} | ${defaultValue === undefined ? whenUnset : `\`${defaultValue}\``} |\n`,
  );
  return ['| setting | meaning | default |\n|---|---|---|\n', ...rows].join('');
}

const ENV_FILE_HEADER = `# The settings of the site. Copy this file to .env and remove the # from a line to set it. docs/settings.md says more.
# Put a value that contains a # or a space between single quotes. \`npm run settings\` writes this file.
`;

function toEnvLines({ name, meaning, defaultValue, whenUnset }: Setting): string {
  const without = defaultValue === undefined ? ` (without it: ${whenUnset})` : '';
  return `# ${meaning[0]?.toUpperCase()}${meaning.slice(1)}${without}\n# ${name}=${defaultValue ?? ''}\n`;
}
