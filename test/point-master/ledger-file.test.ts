import { appendFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { createPointMaster } from '../../src/point-master/point-master.ts';
import { folderWith } from '../support/folders.ts';
import { closeAll, key, manual, openMaster, post, seal, send } from '../support/master.ts';
import { astrid } from '../support/people.ts';

afterEach(closeAll);

it('a point master with a file goes on where it was, and knows what it has applied', async () => {
  const data = join(folderWith(), 'ledger.jsonl');
  const opening = [{ contactId: astrid, definitionId: 1, amount: 100 }];
  const first = await openMaster({ data, opening });
  const webhook = seal({ payload: manual({ amount: 25 }) });
  await send(first.url, webhook);
  await post(`${first.url}/adjust`, { contactId: astrid, definitionId: 1, amount: 3, description: 'Receipt 7' });
  await first.master.close();
  expect(statSync(data).mode & 0o777).toBe(0o600);
  // What was cut off while it was written was told to nobody.
  appendFileSync(data, '{"tenant":"default","contactId":');

  const second = await openMaster({ data, opening });
  expect((await send(second.url, webhook)).status).toBe(200);
  expect(second.master.ledger().map(({ balance, entries }) => [balance, entries.length])).toEqual([[128, 3]]);
  second.master.reset('default');
  await second.master.close();

  const third = createPointMaster({ key, data });
  expect(third.ledger()).toEqual([]);
  expect(readFileSync(data, 'utf8').trim().split('\n')).toHaveLength(4);
});

it('a point master names the line of its file that is no change', () => {
  const data = join(folderWith(), 'ledger.jsonl');
  writeFileSync(data, '{"reset":null}\n{"amount":1}\n');
  expect(() => createPointMaster({ key, data })).toThrow(`data: ${data}:2 is no change of a ledger`);
});

it.each([
  ['JSON of another kind', '{"a":1}', 1],
  ['notes', 'my notes', 1],
  ['something else after its changes', '{"reset":null}\n{"amount":1}', 2],
])('a point master leaves a file as it is that ends without a line break with %s', (_, text, line) => {
  const data = join(folderWith({ 'ledger.jsonl': text }), 'ledger.jsonl');
  expect(() => createPointMaster({ key, data })).toThrow(`data: ${data}:${line} is no change of a ledger`);
  expect(readFileSync(data, 'utf8')).toBe(text);
});

it('a point master takes a last change that is whole but for its line break', async () => {
  const change = { tenant: 'default', contactId: astrid, definitionId: 1, amount: 5, description: 'by hand', at: 0 };
  const data = join(folderWith({ 'ledger.jsonl': JSON.stringify(change) }), 'ledger.jsonl');
  const { master, url } = await openMaster({ data });
  await post(`${url}/adjust`, { contactId: astrid, definitionId: 1, amount: 3, description: 'Receipt 7' });
  await master.close();
  expect(createPointMaster({ key, data }).ledger()).toMatchObject([{ balance: 8 }]);
});
