/**
 * `npm run build`: writes dist/site (static, ready for any host), dist/content.json and dist/server; `OUT_DIR` puts
 * them elsewhere. With `--content` (`npm run build:content`) it rebuilds the site with the existing code.
 */
import { existsSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildContent } from '#build/build-site.ts';
import { writeJsonSchemas } from '#content/schemas/json-schemas.ts';
import { readWholeContent } from '#content/read-content-folder.ts';
import { loadSettings } from '#settings/settings-file.ts';
import { type Environment, parseEnvironment } from '#settings/environment.ts';
import { pickSiteSettings } from '#settings/site-settings.ts';
import { explainFailure } from './explain-failure.ts';
import { explainStaticHost } from './static-host.ts';
import { type OutFolder, BuildError, prepareOut } from './out-folder.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const onlyContent = process.argv.includes('--content');
const started = performance.now();

try {
  const pages = await build();
  console.log(`Built ${pages} pages in ${((performance.now() - started) / 1000).toFixed(1)} s`);
} catch (error) {
  const sentence = explainFailure(error as Error);
  if (sentence === undefined) throw error;
  // Without the stack, which would bury the message.
  console.error(sentence);
  process.exitCode = 1;
}

async function build(): Promise<number> {
  rejectUnreadablePath(root);
  writeJsonSchemas(join(root, 'content/schemas'));
  loadSettings();
  const problem = explainStaticHost(process.env);
  if (problem !== undefined) throw new BuildError(problem);
  const env = parseEnvironment(process.env);
  const content = resolve(root, process.env.CONTENT_DIR || 'content');
  const publicFolder = join(root, 'public');
  // DATA_DIR and PRIVATE_DIR are relative to the project folder, in which the server starts.
  const ownerFiles = [
    content,
    publicFolder,
    ...[env.DATA_DIR, env.PRIVATE_DIR, 'src'].map((folder) => resolve(root, folder)),
  ];
  const out = prepareOut(resolve(root, process.env.OUT_DIR || 'dist'), { outside: [root], apart: ownerFiles });
  try {
    const pages = await buildInto(out, { content, publicFolder, env });
    await out.swap();
    return pages;
  } catch (error) {
    out.discard();
    throw error;
  }
}

/** Vite treats # or ? in a path as the start of a fragment or query. */
function rejectUnreadablePath(path: string): void {
  if (!/[#?]/.test(path)) return;
  throw new BuildError(`${path}: the build can't read a folder with # or ? in its path. Rename that folder`);
}

type Sources = { content: string; publicFolder: string; env: Environment };

async function buildInto(out: OutFolder, { content, publicFolder, env }: Sources): Promise<number> {
  // Reports errors in content/ before the slower stage.
  if (!onlyContent) await readWholeContent(content);
  const code = join(out.folder, 'server');
  if (onlyContent) await cp(join(out.place, 'server'), code, { recursive: true });
  else await (await import('./build-code.ts')).buildCode(code);
  const settings = pickSiteSettings(env);
  const pages = await buildContent({ content, public: publicFolder, code, out: out.folder, settings });
  // For the built `updates` command, on servers without the sources.
  const updates = join(content, 'updates');
  if (existsSync(updates)) await cp(updates, join(code, 'updates'), { recursive: true });
  return pages;
}
