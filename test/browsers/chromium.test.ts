import { changedForm } from './changed-form.ts';
import { openChromium } from './chromium-browser.ts';

changedForm(openChromium);
