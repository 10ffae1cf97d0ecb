import type { MiddlewareHandler } from 'hono';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import type { SiteContent } from '#content/site-content.ts';
import { LogoMark } from '#components/logo-mark.tsx';
import { takeResult } from './actions.ts';
import type { Desk, Page } from './desk-types.ts';
import { FormState, Notice } from './ui.tsx';
import type { SiteAnswer } from './site-answer.ts';

/** Renders each page in the desk's frame, with the result of the form before it. */
export function renderPages(desk: Pick<Desk, 'content' | 'csrf' | 'results' | 'askSite'>): MiddlewareHandler {
  return async (context, next) => {
    context.setRenderer(async (body, page) => {
      const { notice, error } = takeResult(desk, context);
      const markup = renderToStaticMarkup(
        <FormState value={{ csrf: desk.csrf, error }}>
          <Frame content={desk.content} page={page} path={context.req.path} site={await desk.askSite()} notice={notice}>
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
  '/': 'Today',
  '/people': 'People',
  '/updates': 'Updates',
  '/website': 'Website',
  '/backup': 'Backup',
  '/settings': 'Settings',
};

type FrameProps = {
  content: SiteContent;
  page: Page;
  path: string;
  site: SiteAnswer;
  notice: string | undefined;
  children: ReactNode;
};

function Frame({ content, page: { title, eyebrow, lead, actions }, path, site, notice, children }: FrameProps) {
  const section = ['/deliveries', '/reports'].includes(path) ? '/' : `/${path.split('/')[1]}`;
  const above = eyebrow ?? (path !== section && SECTIONS[section] && <a href={section}>{SECTIONS[section]}</a>);
  return (
    <html lang="en-GB">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${title} | ${content.agency.name} desk`}</title>
        <link rel="stylesheet" href="/desk.css" />
        <script type="module" src="/desk.js" />
      </head>
      <body>
        <a className="skip" href="#main">
          Skip to content
        </a>
        <Bar content={content} section={section} site={site} />
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

type BarProps = { content: SiteContent; section: string; site: SiteAnswer };

function Bar({ content: { agency, brand, mark }, section, site }: BarProps) {
  return (
    <header className="bar">
      <div className="line">
        <a className="name" href="/">
          {mark ? <img {...mark} alt={brand.nameBesideMark ? '' : agency.name} /> : <LogoMark />}
          <span>
            {(!mark || brand.nameBesideMark) && agency.name} <small>desk</small>
          </span>
        </a>
        <nav aria-label="Desk">
          {Object.entries(SECTIONS).map(([path, name]) => (
            <a key={path} href={path} aria-current={path === section ? 'page' : undefined}>
              {name}
            </a>
          ))}
        </nav>
        <a className="site" href={site.url} target="_blank" rel="noreferrer">
          {site.problem === undefined ? 'Your site is up' : 'Your site is down'}
        </a>
      </div>
    </header>
  );
}
