import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { leftOutByName, unitFiles } from './support/unit-files.ts';

const chosen = unitFiles();

it.each(['admin', 'conformance', 'core', 'faults', 'http', 'matching', 'scenario', 'service', 'storage', 'verdict'])(
  'test:unit has tests of %s',
  (folder) => {
    expect(chosen.filter((file) => file.startsWith(`test/${folder}/`))).not.toEqual([]);
  },
);

it('test:unit has more than 60 files, so that a shared helper cannot empty it', () => {
  expect(chosen.length).toBeGreaterThan(60);
});

it.each([
  'test/http/transport/hostile-input.test.ts', // opens sockets
  'test/verdict/clients.test.ts', // starts processes, by an imported helper
  'test/dashboard/dashboard.test.ts', // drives a browser
  'test/model/ledger.test.ts', // tries random cases
])('test:unit leaves out %s', (file) => {
  expect(existsSync(file)).toBe(true);
  expect(chosen).not.toContain(file);
});

it.each(Object.keys(leftOutByName))('what test:unit leaves out by name exists: %s', (file) => {
  expect(existsSync(file)).toBe(true);
});

it('test:unit fails a test that starts a process or opens a socket', () => {
  const config = readFileSync('vitest.unit.config.ts', 'utf8');
  expect(config).toContain('test/support/in-process.ts');
});
