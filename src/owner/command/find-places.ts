import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where a built program finds the site, the updates and, on a machine that has it, the project. */
export type Places = {
  /** The built site. */
  site: string;
  /** The project's content/updates, or its copy in the build. */
  updates: string;
  project: string | undefined;
};

/** @param program the program's address; it lies in the build beside the built site */
export function findPlaces(program: string): Places {
  const path = (relative: string) => fileURLToPath(new URL(relative, program));
  const { CONTENT_DIR } = process.env;
  const root = path('../..');
  const project = existsSync(join(root, 'tools/run.mjs')) ? root : undefined;
  const content = CONTENT_DIR ?? (project && join(project, 'content'));
  return { site: path('../site'), updates: content ? join(content, 'updates') : path('./updates'), project };
}
