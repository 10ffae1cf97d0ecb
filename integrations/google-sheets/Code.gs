/**
 * Takes newsletter sign-ups into this spreadsheet. Paste it into Extensions > Apps Script; README.md tells each step.
 *
 * It answers {"ok":true} only when a sign-up is in the sheet, or an erased one is out of it. A sign-up that comes
 * twice, as it may after a broken connection, is one row: its id tells. Nothing in a cell can become a formula.
 */
var SHEET_NAME = 'Sign-ups';
var HEADINGS = ['Id', 'Time', 'Email', 'Name', 'Role', 'Source'];
var LONGEST_TEXT = 1500;
var WAIT_FOR_LOCK_MS = 20000;

function doPost(event) {
  var lock = LockService.getScriptLock();
  if (!lock.tryLock(WAIT_FOR_LOCK_MS)) return answer({ ok: false, error: 'busy' });
  try {
    var message = JSON.parse(event.postData.contents);
    var sheet = signUpSheet();
    if (Array.isArray(message.erase)) eraseRows(sheet, message.erase);
    else addRow(sheet, message);
    // Other runs must see the rows before the lock is free.
    SpreadsheetApp.flush();
    return answer({ ok: true });
  } catch (error) {
    return answer({ ok: false, error: String(error.message) });
  } finally {
    lock.releaseLock();
  }
}

function signUpSheet() {
  var book = SpreadsheetApp.getActiveSpreadsheet();
  var sheet = book.getSheetByName(SHEET_NAME);
  if (sheet) return sheet;
  sheet = book.insertSheet(SHEET_NAME);
  sheet.appendRow(HEADINGS);
  sheet.setFrozenRows(1);
  return sheet;
}

function addRow(sheet, message) {
  var email = text(message.email);
  if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)) throw new Error('no e-mail address');
  // A browser that posts here by itself, without the site's receiver, sends neither an id nor a time.
  var id = text(message.id) || Utilities.getUuid();
  if (idsIn(sheet).indexOf(id) !== -1) return;
  var time = text(message.time) || new Date().toISOString();
  sheet.appendRow([id, time, email, text(message.name), text(message.role), text(message.source)].map(neutralised));
}

function eraseRows(sheet, ids) {
  var known = idsIn(sheet);
  // From the foot up: a deleted row moves those below it.
  for (var index = known.length - 1; index >= 0; index -= 1) {
    if (ids.indexOf(known[index]) !== -1) sheet.deleteRow(index + 2);
  }
}

function idsIn(sheet) {
  var rows = sheet.getLastRow() - 1;
  if (rows < 1) return [];
  return sheet.getRange(2, 1, rows, 1).getValues().map(function (row) {
    return String(row[0]);
  });
}

function text(value) {
  if (value === undefined || value === null) return '';
  if (typeof value !== 'string') throw new Error('a field is not a text');
  return value.slice(0, LONGEST_TEXT);
}

/** An apostrophe makes a cell plain text; the sheet does not show it. */
function neutralised(value) {
  return /^[=+\-@\t\r\n']/.test(value) ? "'" + value : value;
}

function answer(content) {
  return ContentService.createTextOutput(JSON.stringify(content)).setMimeType(ContentService.MimeType.JSON);
}
