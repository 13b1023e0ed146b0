import { setTimeout as wait } from 'node:timers/promises';
import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { runCommand, startCommand, tidy } from '../../support/command.ts';
import type { Started } from '../../support/command.ts';
import { fixtureBeside, newFile } from '../../support/saved.ts';

afterEach(tidy);

const json = { 'content-type': 'application/json', 'user-agent': 'test' };

const make = (url: string, email: string): Promise<Response> =>
  fetch(`${url}/api/v3/contacts`, { method: 'POST', headers: json, body: JSON.stringify({ email }) });

async function contactCount(url: string): Promise<unknown> {
  const response = await fetch(`${url}/api/v3/contacts/count`, { headers: json });
  return response.json();
}

/** Sends contacts one after another until the process is gone; answers which were acknowledged. */
async function makeMany(url: string, who: string, limit: number): Promise<string[]> {
  const acknowledged: string[] = [];
  for (let i = 0; i < limit; i++) {
    const email = `${who}${i}@example.com`;
    const status = await make(url, email)
      .then((response) => response.status)
      .catch(() => 0);
    if (status !== 201) return acknowledged;
    acknowledged.push(email);
  }
  return acknowledged;
}

describe('start --data', () => {
  it('keeps every contact that was acknowledged before kill -9', async () => {
    const file = newFile();
    const first = await startCommand(['--data', file]);
    const sending = ['kim', 'sam', 'ali', 'eva'].map((who) => makeMany(first.url, who, 100_000));
    while (readFileSync(`${file}.log`, 'utf8').split('\n').length < 220) await wait(2);
    await first.signal('SIGKILL');
    const acknowledged = (await Promise.all(sending)).flat();
    expect(acknowledged.length).toBeGreaterThan(150);
    const second = await startCommand(['--data', file]);
    const find = (email: string) => fetch(`${second.url}/api/v3/contacts/id?email=${email}`, { headers: json });
    const found = await Promise.all(acknowledged.map((email) => find(email)));
    expect(found.filter(({ status }) => status !== 200)).toEqual([]);
  });

  it('refuses a second process on the same file, and says who has it', async () => {
    const file = newFile();
    const first = await startCommand(['--data', file]);
    const second = await runCommand(['start', '--port', '0', '--data', file]);
    expect(second.code).toBe(4);
    expect(second.stderr).toContain(`${file} is in use: ${file}.lock says by process ${first.pid}.`);
    await first.signal('SIGTERM');
    await startCommand(['--data', file]);
  });

  it('refuses a call that can not be saved, and what it would have done has not happened', async () => {
    const file = newFile();
    const first = await startCommand(['--data', file], { program: limitedTo(16) });
    const made = await makeMany(first.url, 'kim', 1000);
    const refused = await make(first.url, 'sam@example.com');
    const message = expect.stringContaining(`could not be saved in ${file}.log (EFBIG`);
    expect(refused.status).toBe(500);
    expect(await refused.json()).toMatchObject({ errorCode: 'InternalError', message });
    expect(await contactCount(first.url)).toBe(made.length);
    await first.signal('SIGKILL');
    const second = await startCommand(['--data', file]);
    expect(await contactCount(second.url)).toBe(made.length);
  });

  it('refuses a tenant whose fixture can not be saved, and goes on without it', async () => {
    const file = newFile();
    const contacts = Array.from({ length: 4000 }, (_, i) => ({
      email: `kim${i}@example.com`,
      street: 'x'.repeat(900),
    }));
    const fixtures = fixtureBeside(file, contacts);
    const createTenant = async ({ url }: Started) => {
      const body = JSON.stringify({ name: 'a', fixtures });
      const response = await fetch(`${url}/__admin/tenants`, { method: 'POST', headers: json, body });
      return { status: response.status, body: await response.json() };
    };
    const first = await startCommand(['--data', file], { program: limitedTo(2000) });
    const message = expect.stringContaining(`could not be saved in ${file}.log (EFBIG`);
    expect(await createTenant(first)).toMatchObject({ status: 500, body: { errorCode: 'InternalError', message } });
    expect((await make(first.url, 'sam@example.com')).status).toBe(201);
    await first.signal('SIGKILL');
    const second = await startCommand(['--data', file]);
    expect(await contactCount(second.url)).toBe(1);
    expect((await createTenant(second)).status).toBe(201);
    expect(await contactCount(`${second.url}/t/a`)).toBe(4000);
  });
});

it('a process ends in good order with the lock taken away', async () => {
  const file = newFile();
  const first = await startCommand(['--data', file]);
  await make(first.url, 'kim@example.com');
  const { code } = await first.signal('SIGTERM');
  expect(code).toBe(0);
  expect(() => statSync(`${file}.lock`)).toThrow('ENOENT');
  expect(JSON.parse(readFileSync(file, 'utf8'))).toHaveProperty('format', 'loyalty-sim/2');
});

/** Returns the command on a disk where no file can grow over so many KB: what would is cut short, and the next write fails. */
function limitedTo(kilobytes: number): readonly [string, ...string[]] {
  const limit = `trap '' XFSZ; ulimit -f ${kilobytes}; exec "$@"`;
  return ['bash', '-c', limit, 'sh', process.execPath, resolve('dist/cli.cjs')];
}
