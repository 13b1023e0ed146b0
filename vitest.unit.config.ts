/** `npm run test:unit`: the tests that start no process and open no socket, nor does what they import of test. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { defineConfig, mergeConfig } from 'vitest/config';
import all from './vitest.config.ts';

/** Of a test that leaves its process. */
const leaving = /'node:(?:child_process|http|net)'|'playwright-core'|\.listen\((?:\)|\{)/;

const leaves = new Map<string, boolean>();

function leavesProcess(file: string): boolean {
  const known = leaves.get(file);
  if (known !== undefined) return known;
  leaves.set(file, false);
  const text = readFileSync(file, 'utf8');
  const imported = [...text.matchAll(/ from '(\.[^']+)'/g)].map(([, path = '']) => join(dirname(file), path));
  const found = leaving.test(text) || imported.some((path) => path.startsWith('test/') && leavesProcess(path));
  leaves.set(file, found);
  return found;
}

const tests = readdirSync('test', { recursive: true })
  .map((name) => join('test', String(name)))
  .filter((file) => file.endsWith('.test.ts'));

export default mergeConfig(
  defineConfig({ ...all, test: { ...all.test, include: [], globalSetup: ['test/support/left-behind.ts'] } }),
  defineConfig({ test: { include: tests.filter((file) => !leavesProcess(file)) } }),
);
