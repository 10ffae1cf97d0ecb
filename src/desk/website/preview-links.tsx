import type { Hono } from 'hono';
import { z } from 'zod';
import { formatMoment } from '#newsletter/format.ts';
import { readSiteUrl } from '#newsletter/updates/send-test-mail.ts';
import { addPreview, endPreview, PREVIEW_PATH, type PreviewFacts } from '#publishing/content-previews.ts';
import { createAction, handleActions } from '../handle-forms.ts';
import type { WebsiteDesk } from '../desk-types.ts';
import { Button, Form, Panel } from '../ui.tsx';
import { checkFields } from './check-fields.ts';
import { readFields } from './draft.ts';
import type { OpenSite } from './open-site.ts';
import { nextOverlay } from './publish.ts';

/** Adds the forms with which the owner shows the draft to a partner or a lawyer. */
export function addPreviewLinks(app: Hono, desk: WebsiteDesk, open: OpenSite): void {
  const { store, env } = desk;
  app.get(PATH, (context) => context.redirect(`/desk/website${new URL(context.req.url).search}`, 303));
  app.post(
    PATH,
    handleActions(desk, {
      make: async (_, context) => {
        const site = await open(context);
        const fields = readFields(site);
        if (checkFields(site, fields).errors.size > 0) {
          throw new Error('There is a mistake in the text. Correct it first.');
        }
        const overlay = nextOverlay(
          desk,
          site,
          fields.filter(({ isChanged }) => isChanged),
        );
        const token = await addPreview(store, overlay, site.by, Date.now());
        const link = `${readSiteUrl(env)}${PREVIEW_PATH}/${token}`;
        const who = env.SITE_URL === undefined ? 'On this computer, this link shows' : 'Anybody with this link can see';
        return { to: '/desk/website', notice: `${who} your draft for seven days: ${link}` };
      },
      end: createAction(z.object({ preview: z.string() }), async ({ preview }) => {
        await endPreview(store, preview);
        return { to: '/desk/website', notice: 'That link no longer works.' };
      }),
    }),
  );
}

const PATH = '/desk/website/previews';

/** Lists the links that still work, with a button that makes one. */
export function Previews({ previews }: { previews: PreviewFacts[] }) {
  return (
    <Panel title="Share your draft">
      <p>A link shows your draft as a whole site, for seven days. Search engines won’t find it.</p>
      <Form action={PATH}>
        <Button action="make">Make a link</Button>
      </Form>
      {previews.map(({ id, made_at, made_by, expires_at }) => (
        <Form key={id} className="line" action={PATH}>
          <input type="hidden" name="preview" value={id} />
          <p>
            Made {formatMoment(made_at)}
            {made_by && ` by ${made_by}`}
            <small>Works until {formatMoment(expires_at)}</small>
          </p>
          <Button action="end" aria-label={`Disable the link made ${formatMoment(made_at)}`}>
            Disable
          </Button>
        </Form>
      ))}
    </Panel>
  );
}
