import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { resolve } from 'node:path';
import { Features } from 'lightningcss';
import { createLogger, defineConfig, type Logger, normalizePath, type Plugin, type UserConfig } from 'vite';
import { loadSettings } from '#settings/settings-file.ts';
import { parseEnvironment } from '#settings/environment.ts';
import { developmentPlugin } from './tools/build/development-plugin.ts';
import { scriptPlugin } from './tools/build/script-plugin.ts';

/** The project's folder in Vite's path format, on Windows too. */
export const root = normalizePath(fileURLToPath(new URL('.', import.meta.url)));

const contentFolder = normalizePath(resolve(root, process.env.CONTENT_DIR ?? 'content'));

const path = (relative: string) => `${root}${relative}`;

/** The programs that a build contains. */
const PROGRAMS = new Set(['main', 'subscribers', 'updates', 'desk', 'desk-thread']);

/**
 * Returns the code of a file that starts a program. Source maps are on before its modules load, so that errors name lines in the sources. The
 * settings file is next to the build folder.
 */
const makeStart = (name: string) => `process.setSourceMapsEnabled(true);
process.env.SETTINGS_FILE ??= new URL('../../.env', import.meta.url).href;
await import('./${name}-program.js');
`;

const startPlugin: Plugin = {
  name: 'start',
  applyToEnvironment: ({ name }) => name === 'ssr',
  generateBundle() {
    for (const name of PROGRAMS) this.emitFile({ type: 'asset', fileName: `${name}.js`, source: makeStart(name) });
  },
};

/** Browsers from 2023, the first with every feature that the styles need. */
const BROWSERS = ['chrome120', 'edge120', 'firefox113', 'safari16.4', 'ios16.4'];

const LOG_LEVELS = { build: 'warn', serve: 'info' } as const;

/** Styles that only scripts or printing need, or that only later pages of a visit need. */
const LATE_STYLES =
  /\/(alert|cookie-(banner|details|table)|print|signed-up-panel|sign-up-result-page|toast-region|tooltip)[.a-z]*\.css$/;

export default defineConfig(({ command }) => makeConfig(command));

/** @param out absolute path of the folder for the code */
export function makeConfig(command: 'build' | 'serve', out = ''): UserConfig {
  return {
    appType: 'custom',
    publicDir: command === 'serve' ? path('public') : false,
    plugins: [scriptPlugin, ...(command === 'serve' ? [react(), developmentPlugin(contentFolder)] : [startPlugin])],
    logLevel: LOG_LEVELS[command],
    customLogger: createQuietLogger(command),
    // No style uses `light-dark()`, so it needs no fallback.
    css: { transformer: 'lightningcss', lightningcss: { include: Features.Nesting, exclude: Features.LightDark } },
    server: command === 'serve' ? { port: readPort(), strictPort: true } : {},
    build: {
      cssMinify: 'lightningcss',
      cssTarget: BROWSERS,
      rolldownOptions: {
        // "use client" has no meaning here, and slow plugins are fine.
        checks: { moduleLevelDirective: false, bundlerTimings: false },
      },
    },
    environments: { ssr: makeServerConfig(command, out), client: makeBrowserConfig(out) },
  };
}

/** Vite's logger without the warning about a selector that Lightning CSS doesn't know yet. */
function createQuietLogger(command: 'build' | 'serve'): Logger {
  const logger = createLogger(LOG_LEVELS[command]);
  const { warn } = logger;
  logger.warn = (message, options) => {
    if (!message.includes("'target-current'")) warn(message, options);
  };
  return logger;
}

/** Reads the port as `npm start` does. */
function readPort(): number {
  loadSettings();
  return parseEnvironment(process.env).PORT;
}

function makeServerConfig(command: 'build' | 'serve', out: string): NonNullable<UserConfig['environments']>[string] {
  return {
    // The server is bundled, except packages with native code; in development Node loads packages itself, since
    // many are CommonJS.
    ...(command === 'build' && {
      resolve: { noExternal: true, external: ['sharp', '@takumi-rs/core', 'subset-font'] },
      // Otherwise the build would contain React's development version, which takes twice as long, and the server would
      // run it.
      define: { 'process.env.NODE_ENV': '"production"' },
    }),
    build: {
      license: { fileName: 'licenses.txt' },
      outDir: out,
      emptyOutDir: false,
      copyPublicDir: false,
      emitAssets: true,
      assetsInlineLimit: 0,
      target: 'node24',
      sourcemap: true,
      rolldownOptions: {
        input: {
          main: path('src/server/main.ts'),
          'render-site': path('src/build/render-site.ts'),
          'build-site-process': path('src/build/build-site-process.ts'),
          subscribers: path('src/cli/subscribers-program.ts'),
          updates: path('src/cli/updates-program.ts'),
          desk: path('src/desk/desk.ts'),
          'desk-thread': path('src/desk/serve-desk.ts'),
        },
        output: {
          // Each program and thread reads these files when it starts: comments, and the sources in maps, would double their size.
          sourcemapExcludeSources: true,
          minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
          entryFileNames: ({ name }) => (PROGRAMS.has(name) ? '[name]-program.js' : '[name].js'),
          chunkFileNames: 'chunks/[name]-[hash].js',
          assetFileNames: 'assets/[name]-[hash][extname]',
          codeSplitting: {
            groups: [
              { name: 'late', test: LATE_STYLES },
              { name: 'page', test: /\/src\/(layout|pages|components|client)\/.*\.css$/ },
            ],
          },
        },
      },
    },
  };
}

function makeBrowserConfig(out: string): NonNullable<UserConfig['environments']>[string] {
  return {
    build: {
      license: { fileName: 'licenses.txt' },
      outDir: `${out}/browser`,
      emptyOutDir: false,
      manifest: 'manifest.json',
      cssCodeSplit: false,
      target: BROWSERS,
      // The loader loads what it needs itself: preloading would fetch scripts that the visitor may never need.
      modulePreload: false,
      assetsInlineLimit: 0,
      rolldownOptions: {
        // The loader imports these files by their URL.
        preserveEntrySignatures: 'allow-extension',
        input: {
          loader: path('src/client/entry.ts'),
          interactions: path('src/client/interactions.ts'),
        },
        output: {
          entryFileNames: 'assets/[name]-[hash].js',
          // Fanboy's Annoyances blocks /assets/newsletter-.
          chunkFileNames: ({ name }) => `assets/${name.replace('newsletter-', '')}-[hash].js`,
          assetFileNames: 'assets/[name]-[hash][extname]',
          codeSplitting: {
            // One file with everything that every island needs: each additional import would cost a round trip.
            groups: [
              {
                name: 'react',
                test: /node_modules\/(react|react-dom|scheduler)\/|client\/(hydrate|adopt-controls)\.tsx?$|components\/button/,
              },
            ],
          },
        },
      },
    },
  };
}
