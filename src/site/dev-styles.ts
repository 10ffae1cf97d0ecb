/** In development the browser takes every page's styles from here, so that a change shows at once. */
import '#site/document.tsx';
import '#site/home/home-page.tsx';
import '#site/privacy-policy/privacy-policy-page.tsx';
import '#site/not-found/not-found-page.tsx';
import '#site/error/error-page.tsx';
import '#site/newsletter/outcome-page.tsx';
