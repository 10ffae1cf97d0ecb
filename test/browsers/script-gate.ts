import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { listenOnFreePort } from '../listen-on-free-port.ts';

/** A proxy that delays some files and records what is posted. */
export type ScriptGate = {
  url: string;
  /** Delays these files until `release`: by default the scripts that hydrate a form. */
  hold: (files?: RegExp) => void;
  release: () => void;
  /** The bodies posted since the last `forget`, oldest first. */
  posts: () => string[];
  forget: () => void;
  stop: () => Promise<void>;
};

export async function startScriptGate(site: string): Promise<ScriptGate> {
  let posts: string[] = [];
  let heldFiles = FORM_SCRIPTS;
  let held = Promise.resolve();
  let release = () => {};
  let clients = 0;

  const pass = async (incoming: IncomingMessage, response: ServerResponse) => {
    const body = await text(incoming);
    if (incoming.method === 'POST') posts.push(body);
    if (heldFiles.test(incoming.url ?? '')) await held;
    clients += 1;
    const { method, headers } = incoming;
    // Each request counts as another visitor's, so none is rate-limited.
    const sent = request(site + incoming.url, {
      method,
      headers: { ...headers, 'x-test-client': `2001:db8:${clients.toString(16)}::1` },
    });
    sent.on('response', (answer) => {
      // A cached script couldn't be delayed.
      response.writeHead(answer.statusCode!, { ...answer.headers, 'cache-control': 'no-store' });
      answer.pipe(response);
    });
    sent.on('error', () => response.destroy());
    sent.end(body);
  };
  const { url, stop } = await listenOnFreePort(createServer((incoming, response) => void pass(incoming, response)));

  return {
    url,
    hold: (files = FORM_SCRIPTS) => {
      heldFiles = files;
      ({ promise: held, resolve: release } = Promise.withResolvers<void>());
    },
    release: () => release(),
    posts: () => posts,
    forget: () => {
      posts = [];
    },
    stop: () => {
      release();
      return stop();
    },
  };
}

const FORM_SCRIPTS = /\/assets\/(newsletter-form|react)-/;
