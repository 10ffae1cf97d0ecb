/** The email address that a change fills in. */
export const FILLED_ADDRESS = 'filled@example.org';

type Change = {
  what: string;
  /** Runs in the page, on its first form. */
  apply: () => void;
  /** Whether the change fills in the email address. */
  fills?: boolean;
};

/** Changes that password managers, translators and other extensions make to a form. */
export const FORM_CHANGES: Change[] = [
  { what: 'nothing', apply: () => {} },
  {
    what: 'an element around the form',
    apply: () => {
      const frame = document.createElement('div');
      const form = document.querySelector('form')!;
      const focused = document.activeElement as HTMLElement;
      form.replaceWith(frame);
      frame.append(form);
      focused.focus();
    },
  },
  {
    what: 'attributes on the form and its fields',
    apply: () => {
      for (const field of document.querySelectorAll<HTMLElement>('form, form input, form select, form button')) {
        field.dataset.managed = 'true';
        field.style.backgroundColor = 'ivory';
        field.setAttribute('autocomplete', 'off');
      }
    },
  },
  {
    what: 'elements in each label and after the email field, and every text wrapped in font and translated',
    apply: () => {
      for (const label of document.querySelectorAll('form label')) label.append(document.createElement('img'), '!');
      document.querySelector('form input[type="email"]')!.after(document.createElement('com-manager-icon'));
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      const texts: Node[] = [];
      while (walker.nextNode()) texts.push(walker.currentNode);
      for (const each of texts) {
        if (each.textContent!.trim() === '' || /^(SCRIPT|STYLE)$/.test(each.parentElement!.tagName)) continue;
        const font = document.createElement('font');
        font.textContent = `«${each.textContent}»`;
        each.parentNode!.replaceChild(font, each);
      }
    },
  },
  {
    what: 'an email address set without events',
    apply: () => {
      document.querySelector<HTMLInputElement>('form input[type="email"]')!.value = 'filled@example.org';
    },
    fills: true,
  },
  {
    what: 'the form replaced by a copy that is filled in',
    apply: () => {
      const form = document.querySelector('form')!;
      const index = [...form.elements].indexOf(document.activeElement!);
      const copy = form.cloneNode(true) as HTMLFormElement;
      // According to the HTML specification, cloning loses a select's choice.
      copy.querySelector('select')!.value = form.querySelector('select')!.value;
      // A copy loses the visitor's caret.
      copy.querySelector<HTMLInputElement>('input[type="email"]')!.value = 'filled@example.org';
      form.replaceWith(copy);
      (copy.elements[index] as HTMLElement | undefined)?.focus();
    },
    fills: true,
  },
];
