import { createLogger, type Logger } from 'vite';

/** Vite's warnings, but for those that say what is meant to be so. */
export function quietLogger(): Logger {
  const logger = createLogger('warn');
  // The fonts are written by a plugin of ours; "use client" means nothing where everything is built for one side;
  // how long a plugin takes depends on what else the machine does; `:target-current` is newer than the minifier.
  const expected = /\.woff2 referenced in|MODULE_LEVEL_DIRECTIVE|PLUGIN_TIMINGS|target-current/;
  for (const level of ['warn', 'warnOnce'] as const) {
    const say = logger[level];
    logger[level] = (message, options) => {
      if (!expected.test(message)) say(message, options);
    };
  }
  return logger;
}
