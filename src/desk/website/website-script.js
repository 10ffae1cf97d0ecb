// Beside a form of the website: its mistakes and the page in the frame follow what she types. Without it, Save does.

const part = document.getElementById('part');
const preview = document.querySelector('.preview');
if (preview) keepPlace(preview.querySelector('iframe'), sessionStorage.getItem(nameFrame()));
if (part) {
  part.addEventListener('draftkept', () => void followWords());
  // The entry that was added may be called empty once she has left it.
  part.addEventListener('focusout', ({ target, relatedTarget }) => {
    const address = new URL(location.href);
    const entry = document.getElementById(address.searchParams.get('new'));
    if (!entry?.contains(target) || entry.contains(relatedTarget)) return;
    address.searchParams.delete('new');
    history.replaceState(null, '', address);
    void followWords();
  });
}
for (const field of document.querySelectorAll('.picture input[type=file]')) {
  field.addEventListener('change', () => field.form.requestSubmit(field.form.querySelector('button')));
}

/** Takes over the sentences of the desk's own page, and loads the frame again. */
async function followWords() {
  const address = new URL(location.href);
  address.searchParams.set('renewal', '1');
  const answer = await fetch(address).catch(() => undefined);
  if (!answer?.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html');
  for (const control of part.querySelectorAll('.field > [name], .entries')) takeSentence(control, fresh);
  for (const field of part.querySelectorAll('[data-key]')) {
    for (const notice of field.querySelectorAll(':scope > .notice')) notice.remove();
    const found = fresh.querySelector(`[data-key="${field.dataset.key}"]`);
    field.append(...(found?.querySelectorAll(':scope > .notice') ?? []));
  }
  for (const place of document.querySelectorAll('[data-live]')) {
    const found = fresh.querySelector(`[data-live="${place.dataset.live}"]`);
    if (!found || place.contains(document.activeElement)) continue;
    place.replaceChildren(...found.childNodes);
    place.hidden = found.hidden;
  }
  const state = fresh.querySelector('[data-live="frame-state"]');
  if (state?.hidden) loadFrame();
}

/** Sets what a field, or a list, says above itself: a mistake, and whether it is live. */
function takeSentence(control, fresh) {
  const found = fresh.getElementById(control.id);
  if (!found) return;
  const isList = control.matches('.entries');
  const [here, there] = isList ? [control, found] : [control.parentElement, found.parentElement];
  here.className = there.className;
  here.querySelector(':scope > .error')?.remove();
  const error = there.querySelector(':scope > .error');
  const label = isList ? 'legend' : 'label';
  here.querySelector(`:scope > ${label}`).replaceChildren(...there.querySelector(`:scope > ${label}`).childNodes);
  if (error) (isList ? here.querySelector(':scope > ol') : control).before(error);
  for (const name of ['aria-describedby', 'aria-invalid']) {
    if (found.hasAttribute(name)) control.setAttribute(name, found.getAttribute(name));
    else control.removeAttribute(name);
  }
}

/** A fresh frame is loaded behind the one that is shown, at the same place. */
function loadFrame() {
  const screen = preview.querySelector('.screen');
  for (const waiting of screen.querySelectorAll('.loading')) waiting.remove();
  const shown = screen.querySelector('iframe');
  const next = shown.cloneNode();
  next.className = 'loading';
  next.addEventListener(
    'load',
    () => {
      if (!next.isConnected) return;
      next.contentWindow.scrollTo(0, shown.contentWindow.scrollY);
      next.className = '';
      shown.remove();
      rememberPlace(next);
    },
    { once: true },
  );
  screen.append(next);
}

/** Also over a reload: after a move in a list, or on another screen. @param at how far it was scrolled before */
function keepPlace(frame, at) {
  const scroll = () => {
    // A # in its address would scroll the desk's own page as well.
    const place = frame.contentDocument.getElementById(frame.dataset.place);
    frame.contentWindow.scrollTo(0, at ?? place?.getBoundingClientRect().top ?? 0);
    rememberPlace(frame);
  };
  if (frame.contentDocument?.readyState === 'complete' && frame.contentWindow.location.href !== 'about:blank') scroll();
  else frame.addEventListener('load', scroll, { once: true });
}

function rememberPlace(frame) {
  const { contentWindow } = frame;
  contentWindow.addEventListener('scroll', () => sessionStorage.setItem(nameFrame(), contentWindow.scrollY));
}

/** The place on a phone says nothing about that on a computer. */
function nameFrame() {
  return `${location.pathname} ${preview.querySelector('.screen').className}`;
}
