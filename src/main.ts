import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import type { Site } from '#site/document.tsx';
import { createRoutes } from './routes.tsx';
import { siteFiles } from './site-files.ts';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const site: Site = JSON.parse(readFileSync(path('./site.json'), 'utf8'));
const app = createRoutes(site, siteFiles(path('../site')));

serve({ fetch: app.fetch, port: Number(process.env.PORT ?? 3000), hostname: process.env.HOST ?? 'localhost' }, (info) => {
  console.log(`http://localhost:${info.port}`);
});
void Hono;
