import { type Document, Window } from 'happy-dom';

/** Parses a page as a browser without scripts would. */
export function readPage(html: string): Document {
  const window = new Window({ settings: { disableJavaScriptEvaluation: true, disableCSSFileLoading: true } });
  window.document.write(html);
  return window.document;
}
