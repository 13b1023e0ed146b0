/** Real runners, each with a test file of a user. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { folderWith, tidyFolders } from '../support/folders.ts';

afterEach(tidyFolders);

/** Reads the number of contacts, and again after no response or a 5xx, as often as it may. */
const client = `
async function countContacts(url, attempts) {
  for (let i = 1; ; i++) {
    const response = await fetch(url + '/api/v3/contacts/count').catch(() => undefined);
    if (response && response.status < 500) return response.json();
    if (i >= attempts) return undefined;
    await new Promise((resolve) => setTimeout(resolve, 50 * i));
  }
}
const at = (endpoint) => ({ match: { endpoint }, fault: ['504'] });`;

/** The same tests for each runner: what a test does with its tenant. */
const bodies = {
  'a client that retries passes': `
    await TENANT.faults.add(at('countContacts'));
    equal(await countContacts(TENANT.url, 3), 40);`,
  'a client that gives up fails': `
    await TENANT.faults.add(at('countContacts'));
    equal(await countContacts(TENANT.url, 1), undefined);`,
  'a rule that never fires fails': `
    await TENANT.faults.add(at('createReceipt'));
    equal(await countContacts(TENANT.url, 1), 40);`,
  'a test without requests passes': `
    equal(TENANT.requests().length, 0);`,
  'a tenant that its test deletes passes': `
    await countContacts(TENANT.url, 1);
    TENANT.close();`,
};
const accepted = bodies['a client that gives up fails'];
const options = "{ now: '2026-03-01T12:00:00Z' }";

const testsOf = (write: (name: string, body: string) => string): string =>
  Object.entries(bodies)
    .map(([name, body]) => write(name, body))
    .join('\n');

const withFixtures = (name: string, body: string): string =>
  `test('${name}', async ({ tenant }) => {${body.replaceAll('TENANT', 'tenant')}\n});`;

interface Runner {
  readonly file: string;
  readonly text: string;
  readonly command: readonly string[];
  /** What a runner prints of its sums. */
  readonly sums: readonly RegExp[];
}

const runners: Readonly<Record<string, Runner>> = {
  Vitest: {
    file: 'count.test.mjs',
    text: `import { expect, describe } from 'vitest';
import { simTest } from 'loyalty-sim/vitest';
const test = simTest(${options});
const equal = (left, right) => expect(left).toBe(right);
${client}
${testsOf(withFixtures)}
describe('a client that may give up', () => {
  test.override({ judge: { accept: ['PASS', 'FAIL'] } });
  ${withFixtures('passes', accepted)}
});`,
    command: ['node_modules/vitest/vitest.mjs', 'run'],
    sums: [/2 failed/, /4 passed/],
  },
  Playwright: {
    file: 'count.spec.mjs',
    text: `import { expect } from '@playwright/test';
import { simTest } from 'loyalty-sim/playwright';
const test = simTest(${options});
const equal = (left, right) => expect(left).toBe(right);
${client}
${testsOf(withFixtures)}
test.describe('a client that may give up', () => {
  test.use({ judge: { accept: ['PASS', 'FAIL'] } });
  ${withFixtures('passes', accepted)}
});`,
    command: ['node_modules/@playwright/test/cli.js', 'test', '--reporter=list', '--workers=1'],
    sums: [/2 failed/, /4 passed/],
  },
  "Node's own": {
    file: 'count.test.mjs',
    text: `import { equal } from 'node:assert/strict';
import { test } from 'node:test';
import { useSim } from 'loyalty-sim/node-test';
const inTenant = useSim(${options});
${client}
${testsOf((name, body) => `test('${name}', inTenant(async (tenant) => {${body.replaceAll('TENANT', 'tenant')}\n}));`)}
test('one that may give up passes', inTenant(async (tenant) => {${accepted.replaceAll('TENANT', 'tenant')}
}, { accept: ['PASS', 'FAIL'] }));`,
    command: ['--test', 'count.test.mjs'],
    sums: [/fail 2\n/, /pass 4\n/],
  },
  Jest: {
    file: 'count.test.cjs',
    text: `const { useTenant } = require('loyalty-sim/jest');
const equal = (left, right) => expect(left).toBe(right);
${client}
describe('each test', () => {
  const tenant = useTenant(${options});
  ${testsOf((name, body) => `test('${name}', async () => {${body.replaceAll('TENANT', 'tenant()')}\n});`)}
});
describe('a client that may give up', () => {
  const tenant = useTenant(${options}, { accept: ['PASS', 'FAIL'] });
  test('passes', async () => {${accepted.replaceAll('TENANT', 'tenant()')}});
});`,
    command: ['node_modules/jest/bin/jest.js', '--testMatch', '**/*.test.cjs'],
    sums: [/2 failed/, /4 passed/],
  },
};

/** A folder that has the package and the runners installed. */
function folderOf({ file, text }: Runner): string {
  const folder = folderWith({ [file]: text, 'package.json': { type: 'module' } });
  mkdirSync(join(folder, 'node_modules/@playwright'), { recursive: true });
  for (const name of ['vitest', 'jest', '@playwright/test']) {
    symlinkSync(resolve('node_modules', name), join(folder, 'node_modules', name));
  }
  symlinkSync(resolve('.'), join(folder, 'node_modules/loyalty-sim'));
  return folder;
}

/** Nothing of the run that this test is part of. */
const environment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(?:VITEST|JEST|NODE_|TEST$|VITE_)/.test(name)),
);

describe.each(Object.entries(runners))('with the runner %s', (_, runner) => {
  it('each test has a tenant of its own, which is judged at its end', () => {
    const folder = folderOf(runner);
    const [program, args] = [process.execPath, [...runner.command]];
    const { status, stdout, stderr } = spawnSync(program, args, {
      cwd: folder,
      encoding: 'utf8',
      // Jest and Playwright keep what they have compiled.
      env: { ...environment, NO_COLOR: '1', TMPDIR: folder },
    });
    const text = `${stdout}${stderr}`;
    expect(text).toContain(
      'is FAIL: GET /api/v3/contacts/count: R1: GET /api/v3/contacts/count got status 504 and was never repeated',
    );
    expect(text).toContain('is INCONCLUSIVE: rule fault-1: never fired: it matched no request');
    for (const sum of runner.sums) expect(text).toMatch(sum);
    expect(status).toBe(1);
    // No line of the bundle is shown in place of the test's own.
    expect(Math.max(...text.split('\n').map(({ length }) => length))).toBeLessThan(500);
  });
});
