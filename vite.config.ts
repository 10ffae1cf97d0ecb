import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, normalizePath } from 'vite';
import { makeShortNames } from './tools/build/class-names.ts';
import { developmentPlugin } from './tools/build/development-plugin.ts';
import { fontsPlugin } from './tools/build/fonts-plugin.ts';
import { picturesPlugin } from './tools/build/pictures-plugin.ts';
import { STARTED } from './tools/build/starters.ts';
import { stylesPlugin } from './tools/build/styles-plugin.ts';
import { contentPlugin } from './tools/build/content-plugin.ts';

// As Vite writes the files that the plugins compare them with, on Windows too.
const path = (relative: string) => normalizePath(fileURLToPath(new URL(relative, import.meta.url)));
const outFolder = process.env.OUT_DIR ?? path('./dist');
export const contentFolder = normalizePath(resolve(process.env.CONTENT_DIR ?? path('./content')));

export const fonts = fontsPlugin(contentFolder);
export const styles = stylesPlugin(path('./src/site'));

export default defineConfig(({ command }) => ({
  appType: 'custom',
  publicDir: path('./public'),
  plugins: [
    contentPlugin(contentFolder),
    fonts.plugin,
    picturesPlugin(contentFolder),
    styles.plugin,
    developmentPlugin(),
  ],
  ...(command === 'build' && { css: { modules: { generateScopedName: makeShortNames(path('./src')) } } }),
  server: { port: Number(process.env.PORT ?? 3000), strictPort: true },
  builder: { sharedPlugins: true },
  build: {
    // The styles are in the documents: Vite writes none.
    cssCodeSplit: false,
    rolldownOptions: {
      // Everything is built for one side, so "use client" means nothing; how long a plugin takes is the machine's.
      checks: { moduleLevelDirective: false, bundlerTimings: false },
      // Written by the plugin for fonts.
      external: /^\/assets\/.*\.woff2$/,
    },
  },
  environments: {
    ssr: {
      // The server is built whole; in development Node loads packages itself, since many are CommonJS.
      ...(command === 'build' && { resolve: { noExternal: true } }),
      build: {
        license: { fileName: 'licenses.txt' },
        outDir: `${outFolder}/server`,
        emptyOutDir: false,
        copyPublicDir: false,
        emitAssets: true,
        assetsInlineLimit: 0,
        target: 'node24',
        minify: false,
        sourcemap: true,
        rolldownOptions: {
          input: {
            main: path('./src/server/main.ts'),
            prerender: path('./src/server/prerender.ts'),
            subscribers: path('./src/owner/subscribers/subscribers.ts'),
            updates: path('./src/owner/updates/updates.ts'),
            desk: path('./src/owner/desk/desk.ts'),
          },
          output: {
            // A person starts the file without this ending (tools/build/starters.ts).
            entryFileNames: ({ name }) => (STARTED.includes(name) ? '[name]-program.js' : '[name].js'),
            chunkFileNames: 'chunks/[name]-[hash].js',
            assetFileNames: 'assets/[name]-[hash][extname]',
          },
        },
      },
    },
    client: {
      build: {
        license: { fileName: 'licenses.txt' },
        outDir: `${outFolder}/site`,
        emptyOutDir: false,
        manifest: 'manifest.json',
        // As for the styles (tools/build/styles-plugin.ts).
        target: ['chrome120', 'edge120', 'firefox113', 'safari16.4'],
        // The loader names what it needs itself: preloading would fetch scripts that no visitor has asked for.
        modulePreload: false,
        assetsInlineLimit: 0,
        rolldownOptions: {
          // The loader imports the parts by their address.
          preserveEntrySignatures: 'allow-extension',
          input: {
            loader: path('./src/site/islands/loader.ts'),
            interactions: path('./src/site/islands/interactions.ts'),
          },
          output: {
            entryFileNames: 'assets/[name]-[hash].js',
            chunkFileNames: 'assets/[name]-[hash].js',
            assetFileNames: 'assets/[name]-[hash][extname]',
            codeSplitting: {
              // In one file what every island needs: a file that names another costs a round trip.
              groups: [
                {
                  name: 'react',
                  test: /node_modules\/(react|react-dom|scheduler)\/|islands\/(hydrate|adopt-controls)\.tsx?$|ui\/button/,
                },
              ],
            },
          },
        },
      },
    },
  },
}));
