import { userInfo } from 'node:os';

/**
 * Explains failures that aren't bugs in the build.
 * @returns what is wrong and what to do; undefined for a bug in the build, whose stack trace is needed
 */
export function explainFailure(error: Error & { code?: string; path?: string }): string | undefined {
  const { name, message, code = '', path = '' } = error;
  if (['ContentError', 'EnvironmentError', 'BuildError'].includes(name)) return message;
  if (/ENOSPC|No space left on device/.test(message)) return 'The disk is full. Free some space, and build again.';
  if (code === 'EROFS') return `${path}: this disk is read-only. Set OUT_DIR to a folder on another disk.`;
  if (!['EACCES', 'EPERM'].includes(code)) return undefined;
  const { username } = userInfo();
  return `${path}: this user has no permission to use it. Change its owner: sudo chown -R ${username} ${path}`;
}
