import type { MiddlewareHandler } from 'hono';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import type { SiteContent } from '#content/site-content.ts';
import { LogoMark } from '#components/logo-mark.tsx';
import { takeResult } from './handle-forms.ts';
import type { Desk, Page } from './desk-types.ts';
import { readSiteUrl } from '#newsletter/updates/send-test-mail.ts';
import { FormState, Notice } from './ui.tsx';

/** Renders each page in the desk's frame, with the result of the form before it. */
export function renderPages(desk: Pick<Desk, 'content' | 'results' | 'env'>): MiddlewareHandler {
  return async (context, next) => {
    context.setRenderer(async (body, page) => {
      const { notice, error, undo } = takeResult(desk, context);
      const pageKey = context.get('pageKey');
      const markup = renderToStaticMarkup(
        <FormState value={{ error, undo, result: context.req.query('result'), pageKey }}>
          <Frame
            content={desk.content}
            page={page}
            path={context.req.path}
            site={desk.env.RECEIVER_OF ?? readSiteUrl(desk.env)}
            sections={desk.env.RECEIVER_OF === undefined ? SECTIONS : RECEIVER_SECTIONS}
            notice={notice}
            pageKey={pageKey}
          >
            {error && error.field === undefined && <Notice kind="error" text={error.message} />}
            {body}
          </Frame>
        </FormState>,
      );
      return context.html(`<!doctype html>${markup}`);
    });
    await next();
  };
}

const SECTIONS: Record<string, string> = {
  '/desk': 'Today',
  '/desk/people': 'People',
  '/desk/updates': 'Updates',
  '/desk/website': 'Website',
  '/desk/backup': 'Backup',
  '/desk/settings': 'Settings',
};

const { '/desk/website': _, ...RECEIVER_SECTIONS } = SECTIONS;

type FrameProps = {
  content: SiteContent;
  page: Page;
  path: string;
  site: string;
  /** The names in the bar, by path. */
  sections: Record<string, string>;
  notice: string | undefined;
  /** Read by the scripts. */
  pageKey: string;
  children: ReactNode;
};

function Frame({
  content,
  page: { title, eyebrow, lead, actions },
  path,
  site,
  sections,
  notice,
  pageKey,
  children,
}: FrameProps) {
  const belongsToToday = ['/desk/deliveries', '/desk/reports'].includes(path);
  const section = belongsToToday ? '/desk' : path.split('/').slice(0, 3).join('/');
  const above = eyebrow ?? (path !== section && SECTIONS[section] && <a href={section}>{SECTIONS[section]}</a>);
  return (
    <html lang="en-GB" data-page-key={pageKey}>
      <DeskHead content={content} title={title} script="/desk/desk.js" />
      <body>
        <a className="skip" href="#main">
          Skip to content
        </a>
        <Bar content={content} section={section} site={site} sections={sections} />
        <main id="main">
          {notice !== undefined && <Notice kind="done" text={notice} />}
          <header className="head line">
            <div>
              {above && <p className="eyebrow">{above}</p>}
              <h1>{title}</h1>
              {lead !== undefined && <p className="lead">{lead}</p>}
            </div>
            {actions !== undefined && <div className="actions line">{actions}</div>}
          </header>
          {children}
        </main>
      </body>
    </html>
  );
}

type DeskHeadProps = { content: SiteContent; title: string; script: string };

export function DeskHead({ content: { agency }, title, script }: DeskHeadProps) {
  return (
    <head>
      <meta charSet="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>{`${title} | ${agency.name} desk`}</title>
      <link rel="stylesheet" href="/desk/desk.css" />
      <script type="module" src={script} />
    </head>
  );
}

/** The agency's mark and name, which link to a page. */
export function DeskName({ content: { agency, brand, mark }, href }: { content: SiteContent; href: string }) {
  return (
    <a className="name" href={href}>
      {mark ? <img {...mark} alt={brand.nameBesideMark ? '' : agency.name} /> : <LogoMark />}
      <span>
        {(!mark || brand.nameBesideMark) && agency.name} <small>desk</small>
      </span>
    </a>
  );
}

type BarProps = Pick<FrameProps, 'content' | 'site' | 'sections'> & { section: string };

function Bar({ content, section, site, sections }: BarProps) {
  return (
    <header className="bar">
      <div className="line">
        <DeskName content={content} href="/desk" />
        <nav aria-label="Desk">
          {Object.entries(sections).map(([path, name]) => (
            <a key={path} href={path} aria-current={path === section ? 'page' : undefined}>
              {name}
            </a>
          ))}
        </nav>
        <a className="site" href={site} target="_blank" rel="noreferrer">
          Your site
        </a>
        <form method="post" action="/desk/sign-out">
          <button type="submit">Sign out</button>
        </form>
      </div>
    </header>
  );
}
