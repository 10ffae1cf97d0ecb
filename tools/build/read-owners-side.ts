import { EnvironmentError, parseEnvironment } from '#shared/environment.ts';
import { siteSettings } from '#shared/site-settings.ts';
import { ContentError } from '#content/read-content.ts';
import { readWholeContent } from '#content/read-whole-content.ts';

/** What the owner got wrong stops the build with its message alone: a stack would bury it. */
export async function readOwnersSide(contentFolder: string) {
  try {
    return { settings: siteSettings(parseEnvironment(process.env)), ...(await readWholeContent(contentFolder)) };
  } catch (error) {
    if (!(error instanceof ContentError || error instanceof EnvironmentError)) throw error;
    console.error(error.message);
    process.exit(1);
  }
}
