// Keeps drafts, takes dropped pictures, renews progress. Without it a Save button, a file field and a link do the same.

const draft = document.querySelector('form[data-place]');
if (draft) {
  keepDraft(draft);
  if (draft.id === 'write') takePictures(draft);
}
sendOnce();
if (document.querySelector('[data-renew]')) setInterval(renew, 3000);

/**
 * Keeps the words on the desk a second after the last key, and when the page is left. Until the desk has answered they
 * are in the browser's storage as well: the next page may be asked for before they arrive, or the desk may have ended.
 */
function keepDraft(form) {
  const address = form.dataset.draft ?? `${location.pathname}/draft`;
  const delay = form.dataset.draft ? 250 : 1000;
  const state = document.querySelector('[data-draft-state]');
  const key = form.dataset.place + address;
  // This window's own words: another window's are in the same storage, and it sends them itself.
  let unsent = sessionStorage.getItem(key) ?? localStorage.getItem(key);
  const isUnsent = () => unsent !== null;
  let timer;
  let kept = Promise.resolve(true);
  // One after the other: an older draft must not arrive last.
  const keep = (keepalive) => {
    clearTimeout(timer);
    kept = kept.then(() => sendDraft(keepalive));
    return kept;
  };
  let isBehind = false;
  /** @returns false where the desk did not take the words */
  const sendDraft = async (keepalive) => {
    const typed = unsent;
    if (typed === null) return true;
    const body = new URLSearchParams(typed);
    for (const name of ['csrf', 'draft']) body.set(name, form.elements[name].value);
    try {
      const answer = await fetch(address, { method: 'POST', body, keepalive });
      state.textContent = await answer.text();
      isBehind = answer.status === 409;
      // What another window has overtaken is for this window alone.
      if (isBehind) sessionStorage.setItem(key, typed);
      else if (answer.ok) sessionStorage.removeItem(key);
      if (answer.ok) form.elements.draft.value = answer.headers.get('Desk-Draft');
      if (answer.ok && unsent === typed) unsent = null;
      if ((answer.ok || isBehind) && localStorage.getItem(key) === typed) localStorage.removeItem(key);
      if (answer.ok) form.dispatchEvent(new Event('draftkept'));
      return answer.ok;
    } catch {
      state.textContent = NO_ANSWER;
      // The machine may have slept, or the desk is being started again.
      timer = setTimeout(keep, 3000, false);
      return false;
    }
  };
  // The boxes for roles are elsewhere on the page.
  document.addEventListener('input', ({ target }) => {
    if (target.form !== form || target.type === 'file') return;
    const typed = new FormData(form);
    for (const name of ['picture', 'csrf']) typed.delete(name);
    unsent = String(new URLSearchParams(typed));
    (isBehind ? sessionStorage : localStorage).setItem(key, unsent);
    clearTimeout(timer);
    timer = setTimeout(keep, delay, false);
  });
  // Any form of the page is sent after the words, so that nothing older goes out, and no draft comes after its saving.
  const submitKept = async ({ target, submitter }) => {
    while (isUnsent()) {
      if (await keep(false)) continue;
      if (!isBehind || target !== form) return state.scrollIntoView({ block: 'center' });
      // The answer to this form has the words in its fields, and saves them when she presses again.
      sessionStorage.removeItem(key);
      unsent = null;
    }
    target.requestSubmit(submitter);
  };
  document.addEventListener('submit', (event) => {
    if (!isUnsent()) return;
    event.preventDefault();
    void submitKept(event);
  });
  addEventListener('pagehide', () => void keep(true));
  showTyped(form, unsent);
  void keep(false);
}

const NO_ANSWER =
  'The desk does not answer. Your words stay in this browser: start your desk again, and open this page at the same address.';

/** @param typed what the desk may not have kept */
function showTyped(form, typed) {
  if (typed === null) return;
  const values = new URLSearchParams(typed);
  for (const field of form.elements) {
    if (field.type === 'checkbox') field.checked = values.getAll(field.name).includes(field.value);
    else if (values.has(field.name)) field.value = values.get(field.name);
  }
}

/** The second click of a double click sends nothing. */
function sendOnce() {
  let sentAt = -Infinity;
  document.addEventListener('submit', (event) => {
    if (event.defaultPrevented) return;
    if (event.timeStamp - sentAt < 1000) event.preventDefault();
    else sentAt = event.timeStamp;
  });
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
      const answer = await fetch('/updates/pictures', { method: 'POST', body }).catch(() => undefined);
      const said = (await answer?.text()) ?? NO_ANSWER;
      if (answer?.ok) {
        text.setRangeText(`\n${said}\n`, text.selectionStart, text.selectionEnd, 'end');
        text.dispatchEvent(new Event('input', { bubbles: true }));
      } else state.textContent = said;
    }
  });
}

/**
 * Renews the progress of an update, unless the owner is using that part. Reloads the page once the sending has ended.
 */
async function renew() {
  const part = document.querySelector('[data-renew]');
  if (document.hidden || part.querySelector(':focus, [open]')) return;
  const address = new URL(location.href);
  address.searchParams.set('renewal', '1');
  const answer = await fetch(address).catch(() => undefined);
  if (!answer?.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html').querySelector('[data-renew]');
  if (fresh) part.replaceWith(fresh);
  else location.reload();
}
