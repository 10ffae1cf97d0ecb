/**
 * Decodes a list as spreadsheets save it: "CSV UTF-8", "Unicode text" (UTF-16), or plain CSV, which Windows writes in
 * its Western code page.
 * @throws when the bytes are a workbook
 */
export function decodeListFile(
  bytes: Uint8Array,
  file: string,
): { text: string; encoding: 'Unicode' | 'windows-1252' } {
  const [first, second] = bytes;
  // .xlsx and .ods are ZIP files, .xls a file of OLE.
  if ((first === 0x50 && second === 0x4b) || (first === 0xd0 && second === 0xcf)) {
    throw new Error(`${file}: expected CSV; this is a workbook. Save its sheet as "CSV UTF-8", then import that file`);
  }
  if (first === 0xff && second === 0xfe)
    return { text: new TextDecoder('utf-16le').decode(bytes), encoding: 'Unicode' };
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), encoding: 'Unicode' };
  } catch {
    return { text: new TextDecoder('windows-1252').decode(bytes), encoding: 'windows-1252' };
  }
}
