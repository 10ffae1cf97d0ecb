import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSite } from '../build-site.ts';
import { type RunningSite, startSite } from '../running-site.ts';
import { TEST_CONTENT } from '../test-content.ts';

/**
 * The site built with tags and running, under a host with a parent domain, as `www` has in the world.
 * @param tags as content/agency.yaml lists them
 */
export async function startTaggedSite(tags: object[]): Promise<RunningSite> {
  const content = await mkdtemp(join(tmpdir(), 'content-'));
  await cp(TEST_CONTENT, content, { recursive: true });
  const agency = join(content, 'agency.yaml');
  // JSON is YAML.
  await writeFile(agency, (await readFile(agency, 'utf8')).replace('tags: []', `tags: ${JSON.stringify(tags)}`));
  const build = await buildSite({ CONTENT_DIR: content });
  const site = await startSite({ build });
  return {
    ...site,
    url: site.url.replace('127.0.0.1', 'www.agency.localhost'),
    stop: async () => {
      await site.stop();
      await rm(build, { recursive: true });
      await rm(content, { recursive: true });
    },
  };
}
