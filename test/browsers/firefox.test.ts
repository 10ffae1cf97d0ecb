import { openBrowser } from './puppeteer-browser.ts';
import { walk } from './walk.ts';

walk(() => openBrowser('firefox'));
