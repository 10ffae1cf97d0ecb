import { openWebKit } from './webkit-browser.ts';
import { walk } from './walk.ts';

walk(() => openWebKit());
