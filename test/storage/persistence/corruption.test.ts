import { existsSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { SimOptions } from '../../../src/simulator/options.ts';
import { bytesOf, closeSavedSim, leftBehind, newFile, openSavedSim, tidySaved } from '../../support/saved.ts';

afterEach(tidySaved);

const kim = { email: 'kim@example.com', contactType: 'Member' };

/** A saved state with one contact in the snapshot and one in the log. */
async function savedFile(): Promise<string> {
  const file = newFile();
  const first = await openSavedSim(file);
  await first.post('/api/v3/contacts', kim);
  await closeSavedSim(first);
  const second = await openSavedSim(file);
  await second.post('/api/v3/contacts', { ...kim, email: 'sam@example.com' });
  return leftBehind(file);
}

async function expectRefused(file: string, message: string, options: SimOptions = {}): Promise<void> {
  const before = [bytesOf(file), bytesOf(`${file}.log`)];
  const opened = openSavedSim(file, options).then(() => 'opened');
  await expect(opened).rejects.toThrow(message);
  await expect(opened).rejects.toHaveProperty('name', 'InputError');
  expect([bytesOf(file), bytesOf(`${file}.log`)]).toEqual(before);
  expect(existsSync(`${file}.lock`)).toBe(false);
}

describe('a foreign file', () => {
  it.each([
    ['another JSON', '{"hello":1}', 'not {\\"hello\\":1}'],
    ['a list', '[]', 'not []'],
    ['a text', 'hello', 'not hello'],
    ['nothing', '', 'not nothing'],
    ['bytes', Buffer.from([0, 255, 254, 1, 10, 200]), 'no saved state of loyalty-sim'],
    ['a fixture', readFileSync('fixtures/default.json'), 'no saved state of loyalty-sim'],
    ['another format', '{"format":"loyalty-sim/1","entries":[\n],"count":0}\n', 'this version reads loyalty-sim/2'],
    ['its beginning alone', '{"format":"loyalty-sim/2"', ':1: this is not valid JSON'],
  ])('is refused and left as it is: %s', async (_, content, message) => {
    const file = newFile();
    writeFileSync(file, content);
    await expectRefused(file, message);
  });

  it('is refused in the place of the log', async () => {
    const file = await savedFile();
    writeFileSync(`${file}.log`, '2026-03-01 GET / 200\n');
    await expectRefused(file, '.log:1: this is no log of loyalty-sim');
    writeFileSync(`${file}.log`, '{"format":"loyalty-sim-log/1","after":"x"}\n');
    await expectRefused(file, 'this version reads loyalty-sim-log/2');
    writeFileSync(`${file}.log`, 'no line feed');
    await expectRefused(file, '.log:1: this is no log of loyalty-sim');
  });

  it('is refused as a log without its snapshot', async () => {
    const file = await savedFile();
    renameSync(file, `${file}.away`);
    await expectRefused(file, `without ${file}`);
  });

  it('is refused as a log of another saved state', async () => {
    const [file, other] = [await savedFile(), await savedFile()];
    writeFileSync(`${file}.log`, readFileSync(`${other}.log`));
    await expectRefused(file, '.log:1: this goes with another file');
  });

  it('is refused when it is a folder', async () => {
    const file = newFile();
    mkdirSync(file);
    await expect(openSavedSim(file)).rejects.toThrow("can't be read: it is no file");
  });
});

describe('a damaged snapshot', () => {
  it.each([
    ['a byte is not UTF-8', (text: string) => text.replace('kim@', 'k\xffm@'), 'not text in UTF-8'],
    ['a quote is missing', (text: string) => text.replace('"kim@', 'kim@'), 'not valid JSON'],
    ['the end is missing', (text: string) => text.slice(0, -40), 'not valid JSON'],
    ['the last line is missing', (text: string) => text.replace(/\n\].*\n$/, '\n'), 'ends too early'],
    ['a line is missing', (text: string) => text.replace(/\n.*"contacts".*/, ''), 'other lines stood before this one'],
    ['a comma is missing', (text: string) => text.replace('},\n', '}\n'), 'not as it was written'],
    ['a row is another', (text: string) => text.replace('kim@', 'tim@'), 'start once with --accept-edits'],
    ['a line follows', (text: string) => `${text}{}\n`, 'nothing may stand after the end'],
    ['a table is unknown', (text: string) => text.replace('["contacts"', '["contracts"'), 'no table "contracts"'],
    ['a key is another', (text: string) => text.replace(/(\["contacts",")./, '$1x'), 'does not have the key "x'],
    ['a name is unknown', (text: string) => text.replace('"clock"', '"clocks"'), 'clocks'],
    ['a clock is none', (text: string) => text.replace(/"clock":\{[^}]*\}/, '"clock":{}'), 'clock'],
    [
      'a row is no row',
      (text: string) => text.replace(/(\["contacts","[^"]*",)\{.*\}\]/, '$15]'),
      'must be [table, key, row]',
    ],
  ])('is refused with file and line, and left as it is: %s', async (_, change, message) => {
    const file = await savedFile();
    const good = readFileSync(file, 'latin1');
    writeFileSync(file, change(good), 'latin1');
    expect(bytesOf(file)).not.toBe(good);
    await expectRefused(file, message);
    await expectRefused(file, `${file}:`);
  });

  it.each([
    ['', '"default","seed":"1"', '"default","seed":"7"', 'nothing was said of the seed "7" before'],
    ['.log', 'sam@example.com', 'kim@example.com', 'the rows of the tenant "default" don\'t fit together'],
    ['.log', '"tenant":"default"', '"tenant":"other"', 'nothing was said of the tenant "other"'],
  ])(
    'is refused when it was edited and contradicts itself, edits accepted or not',
    async (ending, from, to, message) => {
      const file = await savedFile();
      writeFileSync(`${file}${ending}`, readFileSync(`${file}${ending}`, 'utf8').replaceAll(from, to));
      await expectRefused(file, 'start once with --accept-edits');
      await expectRefused(file, message, { acceptEdits: true });
    },
  );
});

describe('a damaged log', () => {
  it.each([
    [
      'a broken line with others after it',
      (line: string) => `${line.slice(0, -9)}\n${line}`,
      ':2: this is not valid JSON',
    ],
    ['a commit too many', (line: string) => line.replace('"n":2', '"n":3'), 'not as it was written'],
    ['a commit twice', (line: string) => `${line}\n${line}`, ':3: other lines stood before this one'],
    ['a commit without number', (line: string) => line.replace('"n":2,', ''), 'must be the number of the commit'],
    ['no one', (line: string) => line.replace('"tenant":"default",', ''), 'must have a seed or a tenant'],
  ])('is refused with file and line, and left as it is: %s', async (_, change, message) => {
    const file = await savedFile();
    const [start, line = ''] = readFileSync(`${file}.log`, 'utf8').split('\n');
    writeFileSync(`${file}.log`, `${start}\n${change(line)}\n`);
    await expectRefused(file, message);
    await expectRefused(file, `${file}.log:`);
  });
});

const lockOf = (fields: object): string => JSON.stringify({ pid: 1, host: hostname(), started: null, ...fields });

describe('a file in use', () => {
  it('is the same through a link', async () => {
    const file = await savedFile();
    symlinkSync(file, `${file}.link`);
    const client = await openSavedSim(`${file}.link`);
    await expect(openSavedSim(file)).rejects.toThrow('is open in this process already');
    expect((await client.get('/api/v3/contacts/count')).body).toBe(2);
  });

  it('is refused to another sim of the process until the first one is closed', async () => {
    const file = newFile();
    const first = await openSavedSim(file);
    await expect(openSavedSim(file)).rejects.toThrow(`${file} is open in this process already`);
    await closeSavedSim(first);
    await expect(openSavedSim(file)).resolves.toBeDefined();
  });

  it.each([
    ['another machine', lockOf({ host: 'elsewhere' }), 'process 1 on elsewhere'],
    ['a process that runs', lockOf({ pid: process.ppid }), `process ${process.ppid}`],
    ['nobody', '', 'a process it does not name'],
  ])('is refused when the lock is held by %s', async (_, lock, message) => {
    const file = newFile();
    writeFileSync(`${file}.lock`, lock);
    await expect(openSavedSim(file)).rejects.toThrow(message);
    expect(bytesOf(`${file}.lock`)).toBe(lock);
  });

  it.each([
    ['a process that has ended', lockOf({ pid: 2 ** 22 + 1 })],
    ['an earlier process with the pid of this one', lockOf({ pid: process.pid })],
    ['an earlier process with the pid of one that runs', lockOf({ pid: process.ppid, started: '1' })],
  ])('is taken over from %s', async (_, lock) => {
    const file = newFile();
    writeFileSync(`${file}.lock`, lock);
    await openSavedSim(file);
    expect(JSON.parse(bytesOf(`${file}.lock`) ?? '')).toMatchObject({ pid: process.pid });
  });
});

describe('a place that is none', () => {
  it('is refused with what to do: a folder that is not there', async () => {
    const file = join(dirname(newFile()), 'missing', 'state.json');
    await expect(openSavedSim(file)).rejects.toThrow('there is no such folder; make it, or name a file elsewhere');
  });

  it('is refused with what to do: a folder that takes no files', async () => {
    await expect(openSavedSim('/proc/self/state.json')).rejects.toThrow(
      /The state can't be saved in \/proc\/self: .*, or name/,
    );
  });

  it("leaves no lock behind when the fixtures can't be read", async () => {
    const file = newFile();
    await expect(openSavedSim(file, { fixtures: 'missing.json' })).rejects.toThrow('missing.json');
    expect([bytesOf(file), bytesOf(`${file}.lock`)]).toEqual([undefined, undefined]);
  });
});
