import { changedForm } from './changed-form.ts';
import { openChromium } from './chromium-browser.ts';
import { FORM_CHANGES } from './form-changes.ts';
import { startFormVisit } from './form-visit.ts';

// The other changes run the same code after an invalid press, and test/e2e/ tests unchanged forms.
changedForm(
  startFormVisit(openChromium),
  FORM_CHANGES.filter(({ what }) => what === 'the form replaced by a copy that is filled in'),
);
