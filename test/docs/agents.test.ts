/** What agents read: each command runs, and each link leads somewhere. */
import { existsSync, readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { runCommand, startCommand, tidy } from '../support/command.ts';
import { folderWith } from '../support/folders.ts';
import { inTime } from '../support/in-time.ts';

afterEach(tidy);

const page = readFileSync('docs/agents.md', 'utf8');
const client = "await fetch(`${process.env.LOYALTY_SIM_URL}/api/v3/contacts/count`, { headers: { apikey: 'till' } });";
const files = { 'client.mjs': client, 'outage.yaml': 'rules: [{ fault: 503 }]\n' };

/** The commands of both blocks, as words behind `npx loyalty-sim`. */
const [alone = [], beside = []] = [...page.matchAll(/```sh\n(.*?)```/gs)].map(([, block = '']) =>
  block
    .trim()
    .split('\n')
    .map((line) => line.replaceAll("'", '').split(' ').slice(2)),
);

describe('the page for agents', () => {
  it('names ten commands', () => {
    expect([alone.length, beside.length]).toEqual([5, 5]);
  });

  it('has commands that run by themselves', inTime, async () => {
    const folder = folderWith(files);
    const codes = [];
    for (const command of alone) codes.push((await runCommand(command, { folder })).code);
    // This client asks for a number, so that the fault of the first command never fires, and the third has nothing to hit.
    expect(codes).toEqual([3, 0, 0, 0, 0]);
    expect(JSON.parse(readFileSync(`${folder}/verdict.json`, 'utf8'))).toMatchObject({ verdict: 'PASS' });
  });

  it('has commands for a running simulator', inTime, async () => {
    const { url } = await startCommand(['--fixtures', 'default']);
    await fetch(`${url}/api/v3/contacts/count`, { headers: { apikey: 'till' } });
    const codes = [];
    for (const command of beside) codes.push((await runCommand([...command, '--url', url])).code);
    expect(codes).toEqual([0, 0, 0, 0, 0]);
  });

  it('has an llms.txt whose links lead to pages', () => {
    const targets = [...readFileSync('llms.txt', 'utf8').matchAll(/\]\((.*?)\)/g)].map(([, target = '']) => target);
    expect(targets.length).toBeGreaterThan(10);
    expect(targets.filter((target) => !existsSync(target))).toEqual([]);
  });

  it('names the licence of each package that is bundled, and its text', () => {
    const notices = readFileSync('THIRD-PARTY-NOTICES', 'utf8');
    for (const name of [
      'zod',
      'hono',
      'yaml',
      'commander',
      '@faker-js/faker',
      'ssh2',
      '@modelcontextprotocol/server',
    ]) {
      expect(notices).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\(`, 'm'));
    }
    expect(notices).toContain('Permission is hereby granted, free of charge');
    const sections = notices.split(/\n-{80}\n\n/);
    const licences = sections.map((section) => /^\S+ \d\S+ \((.*)\)$/m.exec(section)?.[1] ?? section);
    expect(sections.length).toBeGreaterThan(20);
    expect(licences.filter((name) => !permissive.has(name))).toEqual([]);
    // The shortest licences, BSD and ISC, have about 700 letters.
    expect(sections.filter(({ length }) => length < 500)).toEqual([]);
  });
});

/** Licences that ask for no more than to be named. */
const permissive = new Set(['MIT', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', 'Unlicense']);
