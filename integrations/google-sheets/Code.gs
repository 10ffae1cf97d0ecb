/**
 * Adds newsletter sign-ups to this spreadsheet. Paste it into Extensions > Apps Script; README.md describes each
 * step.
 *
 * It answers {"ok":true} only when a sign-up is in the sheet, an unsubscription is noted, or rows have been erased.
 * A form that a browser posts without JavaScript gets a page in response. A sign-up that arrives twice, as it may after
 * a broken connection, is added once: it is recognised by its id. Every cell keeps the text that was sent. Columns are
 * found by their headings, in any order; one that is missing is added on the right.
 */

/** The same characters as after ?secret= in SHEET_URL. While this is empty, no row can be erased or marked. */
var SECRET = '';
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
    var sheet = openSignUpSheet();
    if (message.erase !== undefined || message.unsubscribe !== undefined) {
      checkSecret(event);
      listTabs().forEach(function (tab) {
        if (message.erase !== undefined) eraseRows(tab, message.erase);
        else markRows(tab, message.unsubscribe, text(message.time));
      });
    } else addRow(sheet, message, event);
    // Other runs must see the rows before the lock is free.
    SpreadsheetApp.flush();
    return answer(form);
  } catch (error) {
    return answer(form, String(error.message));
  } finally {
    lock.releaseLock();
  }
}

/** Reads the fields of a form that a browser posts without JavaScript; undefined for JSON. */
function readForm(event) {
  var body = (event && event.postData && event.postData.contents) || '';
  var fields = event && event.parameter;
  return fields && fields.email !== undefined && !/^\s*\{/.test(body) ? fields : undefined;
}

/** The URL of this script is no secret: a static site has it in every page. */
function checkSecret(event) {
  if (SECRET === '') throw new Error('SECRET is empty in Code.gs: follow step 2 of README.md, then deploy a new version');
  var given = event.parameter && event.parameter.secret;
  if (given !== SECRET) throw new Error('SHEET_URL must end with ?secret= and the SECRET of Code.gs');
}

/** Finds or creates the tab, and adds headings if it has none. */
function openSignUpSheet() {
  var book = SpreadsheetApp.getActiveSpreadsheet();
  var sheet = book.getSheetByName(SHEET_NAME) || book.insertSheet(SHEET_NAME);
  if (sheet.getLastRow() === 0) {
    sheet.appendRow(HEADINGS);
    sheet.setFrozenRows(1);
  }
  return sheet;
}

/** Lists the tabs with the columns Id and Email: the owner may have renamed ours, or moved rows to another. */
function listTabs() {
  return SpreadsheetApp.getActiveSpreadsheet()
    .getSheets()
    .filter(function (tab) {
      if (tab.getLastRow() === 0) return false;
      var headings = tab.getRange(findHeadingRow(tab), 1, 1, tab.getLastColumn()).getValues()[0].map(plain);
      return headings.indexOf('id') !== -1 && headings.indexOf('email') !== -1;
    });
}

function addRow(sheet, message, event) {
  var email = text(message.email).replace(ENDS, '');
  if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)) throw new Error('no email address');
  // A browser that posts here directly, without the site's server, sends neither an id nor a time.
  var id = text(message.id) || Utilities.getUuid();
  if (findRows(sheet, [id]).length > 0) {
    // The site has sent the sign-up again after the person unsubscribed.
    if (message.unsubscribed) {
      checkSecret(event);
      markRows(sheet, [id], text(message.unsubscribed));
    }
    return;
  }
  var cells = { Id: id, Time: text(message.time) || new Date().toISOString(), Email: email };
  Object.keys(message).forEach(function (field) {
    if (['id', 'time', 'email', 'website'].indexOf(field) !== -1 || !/^[a-z]{1,30}$/.test(field)) return;
    cells[field.charAt(0).toUpperCase() + field.slice(1)] = text(message[field]);
  });
  var columns = {};
  Object.keys(cells).forEach(function (heading) {
    var isKnown = HEADINGS.indexOf(heading) !== -1 || heading === UNSUBSCRIBED;
    columns[heading] = findColumn(sheet, heading, isKnown ? Infinity : MAX_COLUMNS);
  });
  var row = findLastSignUp(sheet) + 1;
  Object.keys(cells).forEach(function (heading) {
    if (columns[heading] !== undefined && cells[heading] !== '') {
      writeCell(sheet, row, columns[heading], cells[heading]);
    }
  });
}

/** Finds the last row with a value in one of our columns: the owner's tick boxes or formulas may continue below it. */
function findLastSignUp(sheet) {
  var headings = HEADINGS.concat(UNSUBSCRIBED).map(plain);
  var values = sheet.getRange(1, 1, sheet.getLastRow(), sheet.getLastColumn()).getValues();
  var line = findHeadingRow(sheet);
  for (var row = values.length; row > line; row -= 1) {
    var isFilled = values[row - 1].some(function (cell, index) {
      return headings.indexOf(plain(values[line - 1][index])) !== -1 && cell !== '' && cell !== false;
    });
    if (isFilled) return row;
  }
  return line;
}

function writeCell(sheet, row, column, value) {
  try {
    sheet.getRange(row, column).setValue(asText(value));
  } catch (error) {
    // The owner has deleted the empty rows.
    sheet.insertRowAfter(row - 1);
    sheet.getRange(row, column).setValue(asText(value));
  }
}

/** Spaces and invisible characters around a pasted address. */
var ENDS = /^[\s\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]+|[\s\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]+$/g;

/** Notes when somebody unsubscribed. Ids without a row are skipped. */
function markRows(sheet, ids, time) {
  findRows(sheet, ids).forEach(function (row) {
    var column = findColumn(sheet, UNSUBSCRIBED, Infinity);
    sheet.getRange(row, column).setValue(asText(time));
  });
}

/**
 * Finds the number of a column, by its heading in any letter case. A missing column is added on the right. Undefined if
 * there are `most` columns already: anybody who knows the URL may send fields.
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

/** Finds the row with the headings: the owner may have added lines above them. */
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
      // A sheet must have at least one row that is not frozen.
      sheet.insertRowAfter(sheet.getLastRow());
      sheet.deleteRow(row);
    }
  });
}

/** Finds the numbers of the rows that have one of these ids in the Id column. */
function findRows(sheet, ids) {
  if (!Array.isArray(ids)) throw new Error('the ids are not a list');
  var column = findColumn(sheet, 'Id', Infinity);
  var line = findHeadingRow(sheet);
  var rows = [];
  var values = sheet.getRange(1, column, sheet.getLastRow(), 1).getValues();
  values.forEach(function (cells, index) {
    var id = String(cells[0]);
    if (index >= line && id !== '' && ids.indexOf(id) !== -1) rows.push(index + 1);
  });
  return rows;
}

function text(value) {
  if (value === undefined || value === null) return '';
  if (typeof value !== 'string') throw new Error('a field is not a string');
  return value.slice(0, MAX_TEXT_LENGTH);
}

/** A hidden apostrophe makes the cell text: never a formula, and 05-12, 0044 and 1e5 are left unchanged. */
function asText(value) {
  return value === '' ? '' : "'" + value;
}

/** @param form undefined if the request was JSON */
function answer(form, error) {
  if (!form) {
    var content = error === undefined ? { ok: true } : { ok: false, error: error };
    return ContentService.createTextOutput(JSON.stringify(content)).setMimeType(ContentService.MimeType.JSON);
  }
  var sentence =
    error === undefined
      ? 'Thanks, you are on the list.'
      : error === 'no email address'
        ? 'Please go back and enter a valid email address.'
        : error === 'the consent is missing'
          ? 'Please go back and tick the box: we need your consent.'
          : 'Something went wrong. Please go back and try again.';
  return HtmlService.createHtmlOutput('<p style="font: 1.25rem sans-serif">' + sentence + '</p>');
}
