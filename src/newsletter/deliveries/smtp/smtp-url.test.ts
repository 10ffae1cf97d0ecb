import { expect, test } from 'vitest';
import { requireEncryption } from './smtp-url.ts';

test.each([
  ['smtp://u:p@mail.example.org:587', 'smtp://u:p@mail.example.org:587?requireTLS=true'],
  ['smtp://u:p@mail.example.org:587/?name=me', 'smtp://u:p@mail.example.org:587/?name=me&requireTLS=true'],
  ['smtp://127.0.0.1.example.org', 'smtp://127.0.0.1.example.org?requireTLS=true'],
  ['smtp://u:p@mail.example.org?requireTLS=false', 'smtp://u:p@mail.example.org?requireTLS=false'],
  ['smtp://localhost:2525', 'smtp://localhost:2525'],
  ['smtp://127.0.0.1:2525', 'smtp://127.0.0.1:2525'],
  ['smtp://[::1]:2525', 'smtp://[::1]:2525'],
])('uses %s as %s', (given, used) => {
  expect(requireEncryption(given)).toBe(used);
});
