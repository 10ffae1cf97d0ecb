// Keeps drafts, takes dropped pictures, renews progress. Without it a Save button, a file field and a link do the same.

const draft = document.querySelector('form[data-draft]');
if (draft) {
  keepDraft(draft);
  takePictures(draft);
}
if (document.querySelector('[data-renew]')) setInterval(renew, 3000);

/** Keeps the words a second after the last key, and when the page is left. */
function keepDraft(form) {
  const state = document.querySelector('[data-draft-state]');
  let timer;
  let isKept = true;
  const keep = async (keepalive) => {
    clearTimeout(timer);
    if (isKept) return;
    isKept = true;
    const body = new FormData(form);
    // A picture is saved with the file, and would be too long for a page that is left: browsers allow 64 kB.
    body.delete('picture');
    try {
      const answer = await fetch(form.dataset.draft, { method: 'POST', body, keepalive });
      state.textContent = await answer.text();
      if (!answer.ok) isKept = false;
    } catch {
      isKept = false;
      state.textContent = 'Not kept: the desk does not answer. Your words are still on this page; copy them.';
    }
  };
  form.addEventListener('input', () => {
    isKept = false;
    clearTimeout(timer);
    timer = setTimeout(keep, 1000, false);
  });
  form.addEventListener('submit', () => {
    clearTimeout(timer);
    isKept = true;
  });
  addEventListener('pagehide', () => void keep(true));
}

/** A picture dropped on the text is uploaded, and its line put where the cursor is. */
function takePictures(form) {
  const text = form.querySelector('textarea');
  const state = document.querySelector('[data-draft-state]');
  const mark = (event) => {
    event.preventDefault();
    text.classList.toggle('drop', event.type === 'dragover');
  };
  text.addEventListener('dragover', mark);
  text.addEventListener('dragleave', mark);
  text.addEventListener('drop', async (event) => {
    mark(event);
    for (const file of event.dataTransfer.files) {
      const body = new FormData();
      body.set('csrf', form.elements.csrf.value);
      body.set('picture', file);
      const answer = await fetch('/updates/pictures', { method: 'POST', body });
      const said = await answer.text();
      if (answer.ok) {
        text.setRangeText(`\n${said}\n`, text.selectionStart, text.selectionEnd, 'end');
        text.dispatchEvent(new Event('input', { bubbles: true }));
      } else state.textContent = said;
    }
  });
}

/** Shows the page's content as it is now, unless somebody is at work in it. */
async function renew() {
  const part = document.querySelector('[data-renew]');
  if (document.hidden || part === null || part.contains(document.activeElement)) return;
  const address = new URL(location.href);
  address.searchParams.set('renewal', '1');
  const answer = await fetch(address).catch(() => undefined);
  if (!answer?.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html');
  for (const each of document.querySelectorAll('[data-renew]')) {
    const now = fresh.querySelector(`[data-renew="${each.dataset.renew}"]`);
    if (now) each.replaceWith(now);
  }
  document.title = fresh.title;
}
