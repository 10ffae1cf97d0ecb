/**
 * Decodes a list as spreadsheets save it: as "CSV UTF-8", as "Unicode text" (UTF-16), or as plain CSV, which Windows
 * writes in its Western code page.
 * @param file the file's name
 * @throws if it is another kind of file, with advice on what to save instead
 */
export function decodeListFile(
  bytes: Uint8Array,
  file: string,
): { text: string; encoding: 'Unicode' | 'windows-1252' } {
  const start = Buffer.from(bytes.subarray(0, 512)).toString('latin1').trimStart();
  const other = OTHER_FILES.find(({ begins }) => begins.test(start));
  if (other !== undefined) throw new Error(`${file}: expected CSV; this is ${other.what}. ${other.advice}`);
  const utf16 = findUtf16(bytes);
  if (utf16 !== undefined) return { text: new TextDecoder(utf16).decode(bytes), encoding: 'Unicode' };
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), encoding: 'Unicode' };
  } catch {
    return { text: new TextDecoder('windows-1252').decode(bytes), encoding: 'windows-1252' };
  }
}

const SAVE_SHEET = 'Save its sheet as "CSV UTF-8", then import that file';

/** .xlsx, .ods and .numbers are ZIP files, .xls is an OLE file; Salesforce's .xls is a web page. */
const OTHER_FILES = [
  { begins: /^PK/, what: 'a workbook or a ZIP archive', advice: `Unpack an archive first. ${SAVE_SHEET}` },
  { begins: /^\xD0\xCF/, what: 'a workbook', advice: SAVE_SHEET },
  { begins: /^(<!doctype html|<html|<\?xml)/i, what: 'a web page or XML', advice: SAVE_SHEET },
  { begins: /^BEGIN:VCARD/i, what: 'a file of contact cards', advice: 'Export the contacts as CSV' },
  { begins: /^[[{]\s*["{\]}]/, what: 'JSON', advice: 'Export it as CSV' },
  { begins: /^%PDF/, what: 'a PDF', advice: 'Export the list as CSV' },
];

/** Recognises UTF-16 by its byte order mark, or by the zero byte beside each Western letter. */
function findUtf16(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  const [first, second, third, fourth] = bytes;
  if ((first === 0xff && second === 0xfe) || (second === 0 && fourth === 0)) return 'utf-16le';
  if ((first === 0xfe && second === 0xff) || (first === 0 && third === 0)) return 'utf-16be';
  return undefined;
}
