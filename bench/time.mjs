/** Measures points and time: what bulk requests, years and long accounts cost. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSim } from '../dist/index.js';
import { client } from './client.mjs';
import { round, timeOf } from './numbers.mjs';
import { receiptOf } from './receipt.mjs';

export const now = '2026-03-01T12:00:00Z';
const contactId = (n) => `5a0e7c1e-0002-4000-8000-${String(n).padStart(12, '0')}`;

/** Returns a retailer whose definition 1 expires by age, and so many contacts. */
export const fixtureOf = (contacts) => ({
  retailer: { name: 'Bench', groupCurrency: 'SEK' },
  contactTypes: [{ id: 'Member', name: 'Member', keyAttribute: 'email' }],
  stores: [{ externalId: '100', name: 'Bench' }],
  pointDefinitions: [{ id: 1, name: 'Points', pointsPerUnit: 1, expiry: { method: 'age', months: 6 } }],
  contacts: Array.from({ length: contacts }, (_, n) => ({
    id: contactId(n),
    contactType: 'Member',
    email: `${n}@example.com`,
  })),
});

async function shopOf(contacts, folder) {
  const file = join(folder, `points-${contacts}.json`);
  writeFileSync(file, JSON.stringify(fixtureOf(contacts)));
  const sim = await createSim({ fixtures: file, now });
  return { sim, call: client(sim) };
}

export const added = (n, amount = 10) => ({
  contactId: contactId(n),
  definitionId: 1,
  amount,
  timeStamp: now,
  source: 'Adjustment',
  description: 'bench',
});

async function addMany(call, contacts, count) {
  for (let from = 0; from < count; from += 1000) {
    const rows = Array.from({ length: Math.min(1000, count - from) }, (_, i) => added((from + i) % contacts));
    await call('POST', '/api/v3/point-accounts/transactions', rows);
  }
}

const took = async (work) => {
  const start = performance.now();
  await work();
  return performance.now() - start;
};

async function bulk(folder) {
  const { call } = await shopOf(1000, folder);
  const rows = Array.from({ length: 1000 }, (_, n) => added(n));
  const taken = await timeOf(() => call('POST', '/api/v3/point-accounts/transactions', rows), 15);
  return { what: 'bulk of 1000 point transactions', sim: `${round(taken / 1000)} ms` };
}

async function year(folder) {
  const { call } = await shopOf(10_000, folder);
  await addMany(call, 10_000, 20_000);
  const taken = await took(() => call('POST', '/__admin/clock', { advance: 'P1Y' }));
  return { what: 'advancing a year over 10,000 contacts with points that expire', sim: `${round(taken)} ms` };
}

async function page(folder) {
  const accounts = [];
  for (const transactions of [1000, 100_000]) {
    const { call } = await shopOf(1, folder);
    await addMany(call, 1, transactions);
    const { items } = await call('GET', `/api/v3/point-accounts?contactId=${contactId(0)}`);
    const offset = transactions / 2;
    const path = `/api/v3/point-transactions?id=${items[0].id}&filter=All&offset=${offset}&count=100`;
    accounts.push(await timeOf(() => call('GET', path), 200));
  }
  const [few, many] = accounts;
  return {
    what: 'a page from the middle of an account of 1,000 and of 100,000 transactions',
    bare: `${round(few)} µs`,
    sim: `${round(many)} µs`,
    ratio: many / few,
    target: 1.5,
    better: 'lower',
  };
}

const receipt = (n, moment) =>
  receiptOf({ contactId: contactId(n % 200), id: `r${n}`, createdDate: new Date(moment).toISOString() });

export const month = 30 * 86_400_000;

/**
 * Measures 10,000 points that fall due one by one in the course of thirteen months: one advance does it all, and shows
 * it.
 */
async function thirteenMonths(folder) {
  const { call } = await shopOf(1000, folder);
  const [events, first] = [10_000, Date.parse(now) + month];
  const step = (12 * month) / events;
  const validTo = (n) => new Date(first + n * step).toISOString();
  for (let from = 0; from < events; from += 1000) {
    const rows = Array.from({ length: 1000 }, (_, i) => ({ ...added(i), validTo: validTo(from + i) }));
    await call('POST', '/api/v3/point-accounts/transactions', rows);
  }
  let executed = [];
  const taken = await took(async () => ({ executed } = await call('POST', '/__admin/clock', { advance: 'P13M' })));
  if (executed.length !== events) throw new Error(`${executed.length} of ${events} points fell due`);
  return {
    what: "thirteen months of a shop's life, 10,000 events",
    sim: `${round(taken)} ms`,
    limit: 1000,
    milliseconds: taken,
    better: 'lower',
  };
}

/** Measures the same time as requests: receipts, each of the day it comes, and the clock moved on between them. */
async function thirteenMonthsOfCalls(folder) {
  const runs = [];
  for (let run = 0; run < 3; run++) {
    const { sim, call } = await shopOf(200, folder);
    const { clock } = sim.tenants.default;
    const calls = 10_000;
    const step = Math.floor((13 * month) / calls);
    const taken = await took(async () => {
      for (let n = 0; n < calls; n++) {
        if (n % 2 === 0) await call('POST', '/api/v3/receipts', receipt(n, clock.now()));
        else await sim.clock.advance(2 * step);
      }
    });
    runs.push(taken);
    await sim.close();
  }
  return {
    what: 'thirteen months as 5,000 receipts and 5,000 moves of the clock: the first run of a process, the third',
    bare: `${round(runs[0])} ms`,
    sim: `${round(runs[2])} ms`,
  };
}

export async function time(folder) {
  const rows = [];
  for (const measure of [bulk, thirteenMonths, year, page, thirteenMonthsOfCalls]) rows.push(await measure(folder));
  return rows;
}
