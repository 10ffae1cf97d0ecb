import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { listen } from '../../../test/listen.ts';
import { sendToSheet } from './sheet.ts';

test('a script that never answers times out', async () => {
  const { url, stop } = await listen(createServer(() => undefined));
  onTestFinished(stop);
  await expect(sendToSheet(url, { id: '1', time: '', erase: [] }, 100)).rejects.toThrow('no answer in time');
});
