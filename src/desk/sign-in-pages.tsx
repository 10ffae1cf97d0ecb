import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { OUTER_RINGS, FIELD, GRID, HIGHLIGHTED, INNER_RINGS } from '#components/dot-field-dots.ts';
import type { Agency } from '#content/schemas/agency-schema.ts';
import type { SiteContent } from '#content/site-content.ts';
import { IDLE_DAYS } from '#sign-in/desk-sessions.ts';
import { LINK_MINUTES } from '#sign-in/sign-in-links.ts';
import { DeskHead, DeskName } from './frame.tsx';
import { Button, Field, Form } from './ui.tsx';

/** Renders a page before sign-in. @property isLit whether one of the dots is lit */
export function renderSignInPage(
  context: Context,
  content: SiteContent,
  body: ReactNode,
  title: string,
  { isLit = false, status = 200 }: { isLit?: boolean; status?: ContentfulStatusCode } = {},
): Response {
  const markup = renderToStaticMarkup(
    <html lang="en-GB">
      <DeskHead content={content} title={title} script="/desk/sign-in.js" />
      <body className="door">
        <header>
          <DeskName content={content} href="/desk/sign-in" />
          <Dots isLit={isLit} />
        </header>
        <main id="main">
          <div>
            <h1>{title}</h1>
            {body}
          </div>
        </main>
      </body>
    </html>,
  );
  return context.html(`<!doctype html>${markup}`, status);
}

/** The dots from the top of the site's home page. */
function Dots({ isLit }: { isLit: boolean }) {
  const [, , [x, y]] = HIGHLIGHTED;
  return (
    <svg
      viewBox={`0 0 ${FIELD.width} ${FIELD.height}`}
      preserveAspectRatio="xMidYMid slice"
      fill="none"
      aria-hidden="true"
    >
      <g stroke="currentColor" strokeLinecap="round" transform={`scale(${GRID})`}>
        {[...INNER_RINGS, ...OUTER_RINGS].map(({ path, size, opacity }) => (
          <path key={size} d={path} strokeWidth={size} opacity={opacity * 0.7} />
        ))}
      </g>
      {isLit && (
        <g stroke="var(--sun)">
          <circle cx={x} cy={y} r="7" fill="var(--sun)" stroke="none" />
          <circle cx={x} cy={y} r="15" strokeWidth="1.2" />
        </g>
      )}
    </svg>
  );
}

/** @property to the page to open after signing in */
export function SignInPage({ to, agency }: { to: string; agency: Agency }) {
  return (
    <>
      <p className="lead">To the desk of {agency.name}</p>
      {/* The script shows this if the browser supports passkeys. */}
      <div data-passkey data-to={to} hidden>
        <Button type="button" kind="filled">
          Use fingerprint, face or PIN
        </Button>
        <p className="error" role="alert" />
        <p className="or">or</p>
      </div>
      <Form action="/desk/sign-in">
        <input type="hidden" name="to" value={to} />
        <Field id="email" label="Your email address" type="email" autoComplete="username" />
        <Button>Email me a link</Button>
      </Form>
      <details>
        <summary>I can’t get in</summary>
        <p>
          Ask whoever looks after your server. In the site’s folder, <code>npm run desk</code> prints a link that opens
          the desk once, within {LINK_MINUTES} minutes; with Docker, <code>docker compose exec site desk</code>.
        </p>
      </details>
    </>
  );
}

/**
 * @property wait minutes until another email can be requested, if there were too many requests
 * @property canMail whether a mail account is set up
 */
type CodePageProps = { to: string; wait: string | undefined; isWrong: boolean; canMail: boolean };

export function CodePage({ to, wait, isWrong, canMail }: CodePageProps) {
  const minutes = Math.max(1, Number(wait) || 1);
  return (
    <>
      {isWrong ? null : wait === undefined ? (
        <p className="lead">
          If your address may open this desk, an email is on its way. Its link works for {LINK_MINUTES} minutes, once.
        </p>
      ) : (
        <p className="lead">
          Too many emails have been requested from here, so we didn’t send another. If you haven’t used the last one and
          it is less than {LINK_MINUTES} minutes old, it still works; you can ask for the next one in{' '}
          {minutes === 1 ? 'a minute' : `${minutes} minutes`}.
        </p>
      )}
      <Form action="/desk/sign-in/code">
        <input type="hidden" name="to" value={to} />
        <Field
          id="code"
          label="Opened the email on another device? Type its code here"
          error={isWrong ? WRONG_CODE : undefined}
          autoComplete="one-time-code"
          autoCapitalize="characters"
          spellCheck={false}
        />
        <Button kind="filled">Sign in</Button>
      </Form>
      {!canMail && (
        <p>This site has no mail account yet, so no email can arrive. See “I can’t get in” on the page before.</p>
      )}
      <p className="quiet">
        Nothing after two minutes? Look in the spam folder, or <a href="/desk/sign-in">ask again</a>.
      </p>
    </>
  );
}

const WRONG_CODE =
  'This code doesn’t work here. Type the one from the latest email, in the browser where you asked for it. After five wrong codes, ask for another email.';

export function LinkPage() {
  return (
    <>
      {/* Posts to the page's own URL, so that the link's token stays out of the markup. */}
      <Form>
        <Button kind="filled">Sign in on this browser</Button>
      </Form>
      <p className="quiet">
        You stay signed in for {IDLE_DAYS} days after you last used the desk. Not your own computer? Sign out when you
        leave.
      </p>
    </>
  );
}

export function ElsewherePage() {
  return (
    <>
      <p>
        You asked for this link in another browser or on another device. Go back there, and type the code from the
        email.
      </p>
      <p className="quiet">
        Is this the browser that you want to use? <a href="/desk/sign-in">Ask for a link here</a>. Didn’t ask for it?
        Close this page; nobody has been signed in.
      </p>
    </>
  );
}

export function OldLinkPage() {
  return (
    <>
      <p>Each link works once, for {LINK_MINUTES} minutes.</p>
      <p>
        <a className="button plain" href="/desk/sign-in">
          Ask for another
        </a>
      </p>
    </>
  );
}
