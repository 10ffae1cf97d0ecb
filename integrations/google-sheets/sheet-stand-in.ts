import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createContext, runInContext } from 'node:vm';

/** A cell as the sheet stores it: text, a formula, a converted date or number, or a tick box. */
export type Cell = { shown: string } | { formula: string } | { converted: string } | { tick: boolean };

/** The secret between the quotation marks in the script. */
export const SECRET = 'twenty-letters-and-digits';

/** The part of the spreadsheet service that Code.gs uses, and Code.gs itself running on it. */
export type ScriptedSheet = {
  /** Posts a body to the script and returns its response. */
  post: (body: string) => string;
  /** Posts a form as a browser without JavaScript would, and returns the page. */
  postForm: (fields: Record<string, string>) => string;
  /** Calls the script with any event, as Apps Script may. */
  call: (event: unknown) => string;
  /** The rows, headings first. */
  rows: Cell[][];
  /** The size of the sheet; the owner may delete empty rows and columns. */
  size: { rows: number; columns: number };
  frozenRows: number;
  /** Whether another run holds the lock. */
  isLocked: boolean;
  /** Calls that were made without the lock. */
  unlockedCalls: string[];
};

/**
 * @param options.hasEmptyTab whether the owner has created the tab and left it empty
 * @param options.secret the secret that the owner set in the script
 * @param options.others the rows of the owner's other tabs
 */
export function openScriptedSheet({
  hasEmptyTab = false,
  secret = SECRET,
  others = [] as Cell[][][],
} = {}): ScriptedSheet {
  let tab: ReturnType<typeof sheetTab> | undefined;
  let isHeld = false;
  const state: ScriptedSheet = {
    rows: [],
    size: { rows: 1000, columns: 26 },
    frozenRows: 0,
    isLocked: false,
    unlockedCalls: [],
    post: (contents) => call({ postData: { contents, type: 'application/json' }, parameter: {} }),
    postForm: (fields) => {
      const contents = new URLSearchParams(fields).toString();
      return call({ postData: { contents, type: 'application/x-www-form-urlencoded' }, parameter: fields });
    },
    call,
  };
  const insertSheet = (name: string) => (tab = sheetTab(name, state, () => isHeld));
  if (hasEmptyTab) insertSheet('Sign-ups');
  const otherTabs = others.map((rows, index) => sheetTab(`Tab ${index}`, { ...state, rows }, () => isHeld));
  const book = {
    getSheetByName: (name: string) => (tab?.name === name ? tab : null),
    getSheets: () => [tab, ...otherTabs].filter((each) => each !== undefined),
    insertSheet,
  };
  const toOutput = (content: string) => ({ getContent: () => content });
  const context = createContext({
    SpreadsheetApp: { getActiveSpreadsheet: () => book, flush: () => undefined },
    LockService: {
      getScriptLock: () => ({
        tryLock: () => (isHeld = !state.isLocked),
        releaseLock: () => (isHeld = false),
      }),
    },
    Utilities: { getUuid: () => randomUUID() },
    ContentService: {
      MimeType: { JSON: 'application/json' },
      createTextOutput: (content: string) => ({ setMimeType: () => toOutput(content) }),
    },
    HtmlService: { createHtmlOutput: toOutput },
  });
  const script = readFileSync(new URL('Code.gs', import.meta.url), 'utf8');
  runInContext(script.replace("var SECRET = ''", `var SECRET = '${secret}'`), context);

  function call(event: unknown): string {
    return context.doPost(event).getContent();
  }
  return state;
}

function sheetTab(name: string, state: ScriptedSheet, isHeld: () => boolean) {
  const locked = (call: string) => {
    if (!isHeld()) state.unlockedCalls.push(call);
  };
  const getLastRow = () => state.rows.length;
  const getLastColumn = () => Math.max(0, ...state.rows.map((row) => row.length));
  const getRange = (row: number, column: number, rows = 1, columns = 1) => {
    const isInside = row + rows - 1 <= state.size.rows && column + columns - 1 <= state.size.columns;
    if (rows < 1 || columns < 1 || !isInside) throw new Error('The coordinates of the range are outside the sheet.');
    return {
      setValue: (value: string) => {
        locked('setValue');
        const line = (state.rows[row - 1] ??= []);
        while (line.length < column) line.push({ shown: '' });
        line[column - 1] = enter(value);
      },
      getValues: () => {
        locked('getValues');
        const cells = Array.from({ length: rows }, (_, index) => state.rows[row - 1 + index] ?? []);
        return cells.map((line) => Array.from({ length: columns }, (_, index) => show(line[column - 1 + index])));
      },
    };
  };
  return {
    name,
    appendRow: (values: string[]) => {
      locked('appendRow');
      state.rows.push(Array.from(values, enter));
    },
    deleteRow: (row: number) => {
      locked('deleteRow');
      if (state.size.rows - 1 <= state.frozenRows) throw new Error('It is not possible to delete all unfrozen rows.');
      state.rows.splice(row - 1, 1);
      state.size.rows -= 1;
    },
    insertRowAfter: () => (state.size.rows += 1),
    insertColumnAfter: () => (state.size.columns += 1),
    getLastRow,
    getLastColumn,
    setFrozenRows: (rows: number) => (state.frozenRows = rows),
    getRange,
  };
}

function show(cell: Cell | undefined): string | boolean {
  if (cell === undefined) return '';
  if ('tick' in cell) return cell.tick;
  return 'shown' in cell ? cell.shown : '#RESULT';
}

/** Interprets an entry as a sheet does: a leading apostrophe makes it text, and some characters start a formula. */
function enter(value: string): Cell {
  if (value.startsWith("'")) return { shown: value.slice(1) };
  if (/^[=+\-@＝＋－＠]/.test(value.trim())) return { formula: value };
  return /^[\d£]|^true$/i.test(value) && !/[a-z]{2}/.test(value) ? { converted: value } : { shown: value };
}
