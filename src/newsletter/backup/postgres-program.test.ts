import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { makeFolder } from '../../../test/make-folder.ts';
import { runPostgresProgram } from './postgres-program.ts';

test('passes all the URL’s parameters to the program, but the password only through its environment', async () => {
  const folder = makeFolder();
  const heard = join(folder, 'heard');
  writeFileSync(join(folder, 'pg_dump'), `#!/bin/sh\nprintf '%s\\n' "$@" "password: $PGPASSWORD" > '${heard}'\n`);
  chmodSync(join(folder, 'pg_dump'), 0o755);
  vi.stubEnv('PATH', `${folder}${delimiter}${process.env.PATH}`);

  const parameters = 'sslmode=verify-full&sslrootcert=%2Fetc%2Fthe%20root.pem&application_name=site';
  await runPostgresProgram('pg_dump', ['--format=custom'], `postgres://site:p%40ss@db.example:5433/list?${parameters}`);
  expect(readFileSync(heard, 'utf8').split('\n').slice(0, 3)).toEqual([
    '--format=custom',
    `--dbname=postgres://site@db.example:5433/list?${parameters}`,
    'password: p@ss',
  ]);

  await runPostgresProgram('pg_dump', [], 'postgres://site@db.example/list?password=p%40ss&connect_timeout=3');
  expect(readFileSync(heard, 'utf8').split('\n').slice(0, 2)).toEqual([
    '--dbname=postgres://site@db.example/list?connect_timeout=3',
    'password: p@ss',
  ]);
});
