/** The site under Vite's development server: pages are rendered on each request, styles come as modules. */
import { createRoutes } from './routes.tsx';
import { parseEnvironment } from './env.ts';
import { siteSettings } from './site-settings.ts';

export default createRoutes({
  settings: siteSettings(parseEnvironment(process.env)),
  assets: {
    styles: {},
    wake: ['/@vite/client', '/src/site/dev-styles.ts', '/src/site/islands/wake.ts'],
    notFound: '/src/site/not-found/log-bad-path.ts',
    fonts: [],
  },
});
