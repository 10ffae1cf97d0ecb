import { changedForm } from './changed-form.ts';
import { openChromium } from './chromium-browser.ts';
import { FORM_CHANGES } from './form-changes.ts';
import { startFormVisit } from './form-visit.ts';

const TRIED = new Set(['nothing', 'the form replaced by a copy that is filled in']);

// The other changes run the same code after an invalid press.
changedForm(
  startFormVisit(openChromium),
  FORM_CHANGES.filter(({ what }) => TRIED.has(what)),
);
