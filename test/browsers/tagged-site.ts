import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildInto } from '../built-sites.ts';
import { TAG_HOST, TAGS } from '../agencies.ts';
import { type RunningSite, startSite } from '../running-site.ts';
import { TEST_CONTENT } from '../test-content.ts';

/**
 * Builds and starts the site with one tag, on a host with a parent domain, as real `www` hosts have.
 * @param server the URL of the tag's server
 */
export async function startTaggedSite(server: string): Promise<RunningSite> {
  const folder = await mkdtemp(join(tmpdir(), 'tagged-'));
  const [content, build] = [join(folder, 'content'), join(folder, 'build')];
  await cp(TEST_CONTENT, content, { recursive: true });
  const agency = join(content, 'agency.yaml');
  // JSON is YAML.
  const tags = JSON.stringify(TAGS.filter(({ id }) => id === 'visits')).replace(TAG_HOST, new URL(server).host);
  await writeFile(agency, (await readFile(agency, 'utf8')).replace('tags: []', `tags: ${tags}`));
  await buildInto(build, { CONTENT_DIR: content });
  const site = await startSite({ build });
  return {
    ...site,
    url: site.url.replace('127.0.0.1', 'www.agency.localhost'),
    stop: async () => {
      await site.stop();
      await rm(folder, { recursive: true });
    },
  };
}
