/**
 * Takes newsletter sign-ups into this spreadsheet. Paste it into Extensions > Apps Script; README.md describes each
 * step.
 *
 * It answers {"ok":true} only when a sign-up is in the sheet, an unsubscription is noted, or an erased row is removed.
 * A sign-up that comes twice, as it may after a broken connection, is one row, recognised by its id. Nothing in a cell
 * can become a formula. A field that the sheet has no column for yet gets one at the right.
 */
var SHEET_NAME = 'Sign-ups';
var HEADINGS = ['Id', 'Time', 'Email', 'Name', 'Role', 'Source'];
var UNSUBSCRIBED = 'Unsubscribed';
var MAX_COLUMNS = 26;
var MAX_TEXT_LENGTH = 1500;
var WAIT_FOR_LOCK_MS = 20000;

function doPost(event) {
  var lock = LockService.getScriptLock();
  if (!lock.tryLock(WAIT_FOR_LOCK_MS)) return answer({ ok: false, error: 'busy' });
  try {
    var message = JSON.parse(event.postData.contents);
    var sheet = signUpSheet();
    if (Array.isArray(message.erase)) eraseRows(sheet, message.erase);
    else if (Array.isArray(message.unsubscribe)) markRows(sheet, message.unsubscribe, text(message.time));
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
  if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)) throw new Error('no email address');
  // A browser that posts here by itself, without the site's server, sends neither an id nor a time.
  var id = text(message.id) || Utilities.getUuid();
  if (idsIn(sheet).indexOf(id) !== -1) {
    // It came before the person unsubscribed, and comes again after.
    if (message.unsubscribed) markRows(sheet, [id], text(message.unsubscribed));
    return;
  }
  var cells = { Id: id, Time: text(message.time) || new Date().toISOString() };
  Object.keys(message).forEach(function (field) {
    if (field === 'id' || field === 'time' || !/^[a-z]{1,30}$/.test(field)) return;
    cells[field.charAt(0).toUpperCase() + field.slice(1)] = text(message[field]);
  });
  Object.keys(cells).forEach(function (heading) {
    findColumn(sheet, heading);
  });
  sheet.appendRow(
    readHeadings(sheet).map(function (heading) {
      return neutralised(cells[heading] || '');
    }),
  );
}

/** Notes when somebody unsubscribed. Ids without a row are skipped. */
function markRows(sheet, ids, time) {
  var column = findColumn(sheet, UNSUBSCRIBED);
  idsIn(sheet).forEach(function (id, index) {
    if (ids.indexOf(id) !== -1) sheet.getRange(index + 2, column).setValue(neutralised(time));
  });
}

/** The number of a column; one that is missing is added at the right of what the owner has. */
function findColumn(sheet, heading) {
  var headings = readHeadings(sheet);
  var index = headings.indexOf(heading);
  if (index !== -1) return index + 1;
  if (headings.length >= MAX_COLUMNS) throw new Error('too many columns');
  sheet.getRange(1, headings.length + 1).setValue(heading);
  return headings.length + 1;
}

function readHeadings(sheet) {
  return sheet.getRange(1, 1, 1, sheet.getLastColumn()).getValues()[0].map(String);
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
  return value.slice(0, MAX_TEXT_LENGTH);
}

/** An apostrophe makes a cell plain text; the sheet does not show it. */
function neutralised(value) {
  return /^[=+\-@\t\r\n']/.test(value) ? "'" + value : value;
}

function answer(content) {
  return ContentService.createTextOutput(JSON.stringify(content)).setMimeType(ContentService.MimeType.JSON);
}
