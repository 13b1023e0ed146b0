import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { generate } from '../../../src/cli/commands/generate.ts';
import { InputError } from '../../../src/core/lib/input-error.ts';
import { folderWith, tidyFolders } from '../../support/folders.ts';
import { openSim } from '../../support/open-sim.ts';

type Flags = Parameters<typeof generate>[0];

afterEach(tidyFolders);

/** Runs the verb as at a terminal, and answers all that it wrote. */
async function run(flags: Flags) {
  const stdout = new PassThrough();
  const stderr = Object.assign(new PassThrough(), { isTTY: true });
  const written = [text(stdout), text(stderr)];
  const exitCode = await generate(flags, { stdout, stderr });
  stdout.end();
  stderr.end();
  const [printed, told] = await Promise.all(written);
  return { exitCode, printed: printed ?? '', told };
}

describe('generate', () => {
  it('prints a fixture, and nothing else', async () => {
    const { exitCode, printed } = await run({ contacts: '3', receiptsPerContact: '1', promotions: '0' });
    const { contacts, receipts, promotions } = JSON.parse(printed);
    expect([exitCode, contacts.length, receipts.length, promotions.length]).toEqual([0, 3, 3, 0]);
  });

  it('takes over the retailer of the default fixture', async () => {
    const { printed } = await run({ contacts: '1' });
    const usual = JSON.parse(readFileSync('fixtures/default.json', 'utf8'));
    const taken = ['retailer', 'stores', 'consents', 'contactTypes', 'pointDefinitions', 'challengeDefinitions'];
    for (const name of taken) expect(JSON.parse(printed)[name]).toMatchObject(usual[name]);
  });

  it('tells a person at the terminal how far it is', async () => {
    const { told } = await run({ contacts: '1000', receiptsPerContact: '0', promotions: '0' });
    expect(told).toBe(
      '\rgenerating: 0 %, 0 of 1000 rows\rgenerating: 50 %, 500 of 1000 rows\rgenerating: 100 %, 1000 of 1000 rows\n',
    );
  });

  it('writes the same to a file, which a sim loads', async () => {
    const out = join(folderWith(), 'hundred.json');
    const flags = { contacts: '100', seed: '7', locale: 'fi', types: 'Member' };
    const { printed } = await run(flags);
    await run({ ...flags, out });
    expect(readFileSync(out, 'utf8')).toBe(printed);
    const { get } = await openSim({ fixtures: out });
    expect((await get('/api/v3/contacts/count?contactType=Member')).body).toBe(100);
  });

  it.each<[flags: Flags, message: string]>([
    [{ contacts: '-5' }, '--contacts: must be a whole number from 0 to 5000000, not "-5"'],
    [{ contacts: 'many' }, '--contacts: must be a whole number from 0 to'],
    [{ contacts: '5000001' }, '--contacts: must be a whole number from 0 to'],
    [{ contacts: '1e3' }, '--contacts: must be a whole number from 0 to'],
    [{ contacts: '' }, '--contacts: must be a whole number from 0 to'],
    [{ receiptsPerContact: '1.5' }, '--receipts-per-contact: must be a whole number from 0 to 1000, not "1.5"'],
    [{ promotions: '10001' }, '--promotions: must be a whole number from 0 to'],
    [{ seed: '0x10' }, '--seed: must be a whole number from 0 to'],
    [{ locale: 'se' }, '--locale: must be one of sv, fi, nb, da, mixed, not "se"; did you mean "sv"?'],
    [{ now: '2026-02-30T00:00:00Z' }, '--now: "2026-02-30T00:00:00Z" is not'],
    [{ types: 'Membr' }, '--types: there is no contact type "Membr"'],
    [{ out: '/nowhere/at/all.json' }, "--out: /nowhere/at/all.json can't be written (ENOENT)"],
  ])('refuses %o', async (flags, message) => {
    const refused = run(flags);
    await expect(refused).rejects.toThrow(message);
    await expect(refused).rejects.toBeInstanceOf(InputError);
  });

  it.each([{ types: 'Membr' }, { now: 'today' }])(
    'leaves the file alone that it is to write when it refuses %o',
    async (flags) => {
      const out = join(folderWith({ 'shop.json': '{}' }), 'shop.json');
      await expect(run({ ...flags, out })).rejects.toBeInstanceOf(InputError);
      expect(readFileSync(out, 'utf8')).toBe('{}');
    },
  );
});
