import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { html, raw } from 'hono/html';
import { describeSummary } from '#mail/summary/describe-summary.ts';
import { readSummary, type Summary, WEEK_MS } from '#mail/summary/read-summary.ts';
import { showSendTime } from '#mail/updates/send-time.ts';
import { listChart } from './list-chart.ts';
import { type Answer, print, write } from '../command/print.ts';
import type { Opened } from '../command/with-store.ts';

/** The weekly summary as a page in DATA_DIR, of the seven days until now. */
export async function report(opened: Opened, { json, open }: Answer & { open?: boolean }): Promise<void> {
  const now = Date.now();
  const summary = await readSummary(opened, { from: now - WEEK_MS, to: now }, now);
  const file = resolve(join(opened.env.DATA_DIR, 'report.html'));
  writeFileSync(file, await reportPage(summary), { mode: 0o600 });
  const isOpened = open === true && (await openInBrowser(file));
  if (json) return print({ file });
  write(`The report is in ${file}.\n`);
  if (open && !isOpened) write('No browser could be started from here; open the file yourself.\n');
}

async function reportPage(summary: Summary): Promise<string> {
  const { needed, sections } = describeSummary(summary);
  const page = await html`<!doctype html>
    <html lang="en-GB">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Your list</title>
        <style>
          ${raw(STYLES)}
        </style>
      </head>
      <body>
        <main>
          <h1>Your list</h1>
          <p>${showSendTime(summary.period.to)}</p>
          ${
            needed.length === 0
              ? html`<p>Nothing needs you.</p>`
              : html`<section>
                  <h2>What needs you</h2>
                  <ul>
                    ${needed.map((sentence) => html`<li>${sentence}</li>`)}
                  </ul>
                </section>`
          }
          <h2>The list over a year</h2>
          <figure role="img" aria-label="${historyInWords(summary)}">${listChart(summary.history)}</figure>
          <p>People who were erased are not counted.</p>
          ${sections.map(
            ({ heading, rows }) =>
              html`<h2>${heading}</h2>
                <table>
                  ${rows.map(
                    ([label, value]) =>
                      html`<tr>
                        <th scope="row">${label}</th>
                        <td>${value}</td>
                      </tr>`,
                  )}
                </table>`,
          )}
        </main>
      </body>
    </html>`;
  return String(page);
}

const STYLES = `
:root { color-scheme: light dark; --paper: #faf7f1; --card: #fff; --ink: #13262b; --line: #d9d4c8; }
@media (prefers-color-scheme: dark) { :root { --paper: #10201f; --card: #182c2a; --ink: #ece7dc; --line: #38514d; } }
body { margin: 0; background: var(--paper); color: var(--ink); font: 17px/1.5 system-ui, sans-serif; }
main { max-width: 760px; margin: 0 auto; padding: 24px; overflow-wrap: anywhere; }
section { padding: 4px 20px; border-left: 4px solid #e0a030; background: var(--card); }
section h2 { margin: 12px 0 0; font-size: 1.125rem; }
section ul { padding-left: 20px; }
figure { margin: 0; background: #fff; border-radius: 12px; }
figure svg { display: block; width: 100%; height: auto; }
@media (max-width: 600px) {
  figure { padding-left: 8px; }
  figure svg { overflow: visible; }
  figure text { font-size: 22px; }
  figure .year { transform: translateY(8px); }
}
@media (prefers-color-scheme: dark) {
  figure { background: var(--card); }
  figure text { fill: #b7c6c1; }
  figure path { stroke: var(--line); }
  figure polyline { stroke: #6cc5b6; }
  figure :is(polygon, circle) { fill: #6cc5b6; }
}
table { width: 100%; border-collapse: collapse; table-layout: fixed; }
th, td { padding: 6px 0; border-bottom: 1px solid var(--line); text-align: left; font-weight: 400; vertical-align: top; }
th { width: 58%; }
td { padding-left: 16px; text-align: right; }
`;

function historyInWords({ history }: Summary): string {
  const [first, last] = [history[0], history.at(-1)];
  return `${first?.people} people on ${first?.day}, ${last?.people} on ${last?.day}`;
}

/** @returns whether a program was started */
async function openInBrowser(file: string): Promise<boolean> {
  const [program, ...words] = OPENERS[process.platform] ?? ['xdg-open'];
  const child = spawn(program, [...words, file], { detached: true, stdio: 'ignore' });
  child.unref();
  try {
    await once(child, 'spawn');
    return true;
  } catch {
    return false;
  }
}

const OPENERS: Partial<Record<NodeJS.Platform, [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['explorer.exe'],
};
