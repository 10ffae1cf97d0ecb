import { userInfo } from 'node:os';

/**
 * Explains what isn't the build's own fault.
 * @returns what is wrong and what to do; undefined for a fault of the build, whose stack is needed
 */
export function explainFailure(error: Error & { code?: string; path?: string }): string | undefined {
  const { name, message, code = '', path = '' } = error;
  if (['ContentError', 'EnvironmentError', 'OutFolderError'].includes(name)) return message;
  if (/ENOSPC|No space left on device/.test(message)) return 'The disk is full. Make room, and build again.';
  if (code === 'EROFS') return `${path}: this disk can't be written. Set OUT_DIR to a folder on another.`;
  if (!['EACCES', 'EPERM'].includes(code)) return undefined;
  const { username } = userInfo();
  return `${path}: this user may not use it. Give it to them: sudo chown -R ${username} ${path}`;
}
