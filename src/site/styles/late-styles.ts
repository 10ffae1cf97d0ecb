/**
 * The styles of print, and of what no page shows by itself but a script does. They are a file of their own, which the
 * document links for print alone: no paint waits for it, and src/site/islands/apply-late-styles.ts does the rest.
 */
import '#site/styles/print.css';
import '#site/cookie-banner/cookie-banner.module.css';
import '#site/cookie-banner/cookie-details.module.css';
import '#site/newsletter/signed-up-panel.module.css';
import '#site/shell/tooltip.module.css';
import '#site/ui/toast-region.module.css';
