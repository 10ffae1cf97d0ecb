import { changedForm } from './changed-form.ts';
import { openChromium } from './chromium-browser.ts';
import { startFormVisit } from './form-visit.ts';

changedForm(startFormVisit(openChromium));
