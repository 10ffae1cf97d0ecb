/**
 * Takes newsletter sign-ups into this spreadsheet. Paste it into Extensions > Apps Script; README.md describes each
 * step.
 *
 * It answers {"ok":true} only when a sign-up is in the sheet, an unsubscription is noted, or an erased row is removed.
 * A form that a browser posts without script is answered with a page. A sign-up that comes twice, as it may after a
 * broken connection, is one row, recognised by its id. Nothing in a cell can become a formula. Columns are found by
 * their headings, in any order; one that is missing is added at the right.
 */
var SHEET_NAME = 'Sign-ups';
var HEADINGS = ['Id', 'Time', 'Email', 'Name', 'Role', 'Source'];
var UNSUBSCRIBED = 'Unsubscribed';
var MAX_COLUMNS = 100;
var MAX_TEXT_LENGTH = 1500;
var WAIT_FOR_LOCK_MS = 20000;

function doPost(event) {
  var form = readForm(event);
  var lock = LockService.getScriptLock();
  if (!lock.tryLock(WAIT_FOR_LOCK_MS)) return answer(form, 'busy');
  try {
    var message = form || JSON.parse(event.postData.contents);
    if (form && !form.consent) return answer(form, 'the consent is missing');
    // Only a robot fills in the hidden field.
    if (form && form.website) return answer(form);
    var sheet = signUpSheet();
    if (Array.isArray(message.erase)) eraseRows(sheet, message.erase);
    else if (Array.isArray(message.unsubscribe)) markRows(sheet, message.unsubscribe, text(message.time));
    else addRow(sheet, message);
    // Other runs must see the rows before the lock is free.
    SpreadsheetApp.flush();
    return answer(form);
  } catch (error) {
    return answer(form, String(error.message));
  } finally {
    lock.releaseLock();
  }
}

/** The fields of a form that a browser posts by itself; undefined for JSON. */
function readForm(event) {
  var body = (event && event.postData && event.postData.contents) || '';
  var fields = event && event.parameter;
  return fields && fields.email !== undefined && !/^\s*\{/.test(body) ? fields : undefined;
}

/** The tab; a tab without headings gets them. */
function signUpSheet() {
  var book = SpreadsheetApp.getActiveSpreadsheet();
  var sheet = book.getSheetByName(SHEET_NAME) || book.insertSheet(SHEET_NAME);
  if (sheet.getLastRow() === 0) {
    sheet.appendRow(HEADINGS);
    sheet.setFrozenRows(1);
  }
  return sheet;
}

function addRow(sheet, message) {
  var email = text(message.email).replace(ENDS, '');
  if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)) throw new Error('no email address');
  // A browser that posts here by itself, without the site's server, sends neither an id nor a time.
  var id = text(message.id) || Utilities.getUuid();
  if (findRows(sheet, [id]).length > 0) {
    // It is sent again after the person unsubscribed.
    if (message.unsubscribed) markRows(sheet, [id], text(message.unsubscribed));
    return;
  }
  var cells = { Id: id, Time: text(message.time) || new Date().toISOString(), Email: email };
  Object.keys(message).forEach(function (field) {
    if (['id', 'time', 'email', 'website'].indexOf(field) !== -1 || !/^[a-z]{1,30}$/.test(field)) return;
    cells[field.charAt(0).toUpperCase() + field.slice(1)] = text(message[field]);
  });
  var row = [];
  Object.keys(cells).forEach(function (heading) {
    var isKnown = HEADINGS.indexOf(heading) !== -1 || heading === UNSUBSCRIBED;
    var column = findColumn(sheet, heading, isKnown ? Infinity : MAX_COLUMNS);
    if (column !== undefined) row[column - 1] = neutralised(cells[heading]);
  });
  for (var index = 0; index < row.length; index += 1) row[index] = row[index] || '';
  sheet.appendRow(row);
}

/** Spaces and invisible characters that come with a pasted address. */
var ENDS = /^[\s\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]+|[\s\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]+$/g;

/** Notes when somebody unsubscribed. Ids without a row are skipped. */
function markRows(sheet, ids, time) {
  var column = findColumn(sheet, UNSUBSCRIBED, Infinity);
  findRows(sheet, ids).forEach(function (row) {
    sheet.getRange(row, column).setValue(neutralised(time));
  });
}

/**
 * The number of a column, by its heading in any letter case; one that is missing is added at the right of what the owner
 * has. Undefined if there are `most` columns already: anybody who knows the address may send fields.
 */
function findColumn(sheet, heading, most) {
  var line = findHeadingRow(sheet);
  var last = sheet.getLastColumn();
  var headings = sheet.getRange(line, 1, 1, last).getValues()[0].map(plain);
  var index = headings.indexOf(plain(heading));
  if (index !== -1) return index + 1;
  if (last >= most) return undefined;
  try {
    sheet.getRange(line, last + 1).setValue(heading);
  } catch (error) {
    // The owner has deleted the empty columns.
    sheet.insertColumnAfter(last);
    sheet.getRange(line, last + 1).setValue(heading);
  }
  return last + 1;
}

/** The owner may have put lines above the headings. */
function findHeadingRow(sheet) {
  var rows = sheet.getRange(1, 1, Math.min(sheet.getLastRow(), 10), sheet.getLastColumn()).getValues();
  for (var index = 0; index < rows.length; index += 1) {
    if (rows[index].map(plain).indexOf('email') !== -1) return index + 1;
  }
  return 1;
}

function plain(value) {
  return String(value).trim().toLowerCase();
}

function eraseRows(sheet, ids) {
  // From the bottom up: a deleted row moves those below it.
  findRows(sheet, ids).reverse().forEach(function (row) {
    try {
      sheet.deleteRow(row);
    } catch (error) {
      // A sheet keeps at least one row that is not frozen.
      sheet.insertRowAfter(sheet.getLastRow());
      sheet.deleteRow(row);
    }
  });
}

/** The numbers of the rows with one of these ids in any column, since the owner may rename or move it. */
function findRows(sheet, ids) {
  var rows = [];
  var values = sheet.getRange(1, 1, sheet.getLastRow(), sheet.getLastColumn()).getValues();
  values.forEach(function (cells, index) {
    var isFound = cells.some(function (cell) {
      return ids.indexOf(String(cell)) !== -1;
    });
    if (isFound) rows.push(index + 1);
  });
  return rows;
}

function text(value) {
  if (value === undefined || value === null) return '';
  if (typeof value !== 'string') throw new Error('a field is not a text');
  return value.slice(0, MAX_TEXT_LENGTH);
}

/** An apostrophe makes a cell plain text; the sheet does not show it. */
function neutralised(value) {
  return /^\s*[=+\-@'\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n]/.test(value) ? "'" + value : value;
}

/** @param form undefined if JSON was sent */
function answer(form, error) {
  if (!form) {
    var content = error === undefined ? { ok: true } : { ok: false, error: error };
    return ContentService.createTextOutput(JSON.stringify(content)).setMimeType(ContentService.MimeType.JSON);
  }
  var words =
    error === undefined
      ? 'Thanks, you are on the list.'
      : error === 'no email address'
        ? 'Please go back and enter a valid email address.'
        : error === 'the consent is missing'
          ? 'Please go back and tick the box: we need your consent.'
          : 'Something went wrong. Please go back and try again.';
  return HtmlService.createHtmlOutput('<p style="font: 1.25rem sans-serif">' + words + '</p>');
}
