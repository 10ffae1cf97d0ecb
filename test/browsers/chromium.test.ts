import { openChromium } from './chromium-browser.ts';
import { walk } from './walk.ts';

walk(openChromium);
