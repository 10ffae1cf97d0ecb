import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createContext, runInContext } from 'node:vm';

/** A cell as the sheet keeps it: what would run is kept apart from what is only shown. */
export type Cell = { shown: string } | { formula: string };

/** The spreadsheet service as far as Code.gs knows it, and that very script, running on it. */
export type ScriptedSheet = {
  /** Posts a body to the script and returns what it answers. */
  post: (body: string) => string;
  /** The rows, headings first. */
  rows: Cell[][];
  /** Whether another run holds the lock. */
  isLocked: boolean;
  /** Calls that came while nobody held the lock. */
  unlockedCalls: string[];
};

export function openScriptedSheet(): ScriptedSheet {
  let tab: ReturnType<typeof sheetTab> | undefined;
  let isHeld = false;
  const state: ScriptedSheet = { rows: [], isLocked: false, unlockedCalls: [], post };
  const book = {
    getSheetByName: (name: string) => (tab?.name === name ? tab : undefined),
    insertSheet: (name: string) => (tab = sheetTab(name, state, () => isHeld)),
  };
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
      createTextOutput: (content: string) => ({ setMimeType: () => ({ getContent: () => content }) }),
    },
  });
  runInContext(readFileSync(new URL('Code.gs', import.meta.url), 'utf8'), context);

  function post(body: string): string {
    return context.doPost({ postData: { contents: body } }).getContent();
  }
  return state;
}

function sheetTab(name: string, state: ScriptedSheet, isHeld: () => boolean) {
  const locked = (call: string) => {
    if (!isHeld()) state.unlockedCalls.push(call);
  };
  return {
    name,
    appendRow: (values: string[]) => {
      locked('appendRow');
      state.rows.push(Array.from(values, enter));
    },
    deleteRow: (row: number) => {
      locked('deleteRow');
      state.rows.splice(row - 1, 1);
    },
    getLastRow: () => state.rows.length,
    getLastColumn: () => Math.max(...state.rows.map((row) => row.length)),
    getRange: (row: number, column: number, rows = 1, columns = 1) => ({
      setValue: (value: string) => {
        locked('setValue');
        const line = state.rows[row - 1] ?? [];
        while (line.length < column) line.push({ shown: '' });
        line[column - 1] = enter(value);
      },
      getValues: () => {
        locked('getValues');
        const cells = state.rows.slice(row - 1, row - 1 + rows);
        return cells.map((line) =>
          line.slice(column - 1, column - 1 + columns).map((cell) => ('shown' in cell ? cell.shown : '#RESULT')),
        );
      },
    }),
    setFrozenRows: () => undefined,
  };
}

/** Reads an entry as a sheet does: an apostrophe hides and makes text, some signs begin a formula. */
function enter(value: string): Cell {
  if (value.startsWith("'")) return { shown: value.slice(1) };
  return /^[=+\-@]/.test(value.trim()) ? { formula: value } : { shown: value };
}
