/** Measures the same calls on 20 contacts and on 100,000: what is done by a pointer stays a pointer. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { createSim } from '../dist/index.js';
import { client } from './client.mjs';
import { temporaryFolder } from './folder.mjs';
import { round, timeOf } from './numbers.mjs';

const [small, large] = [20, 100_000];
const [turns, times] = [5, 300];

async function simOf(contacts) {
  const file = join(temporaryFolder(), `${contacts}.json`);
  execFileSync(process.execPath, [
    'dist/cli.cjs',
    'generate',
    '--contacts',
    String(contacts),
    '--seed',
    '1',
    '--out',
    file,
  ]);
  return createSim({ fixtures: file });
}

/** Returns some contact of the fixture, found through the service alone. */
async function someContact(sim, call) {
  const [row] = sim.tenants.default.state.tables.contacts.rows.values();
  return call('GET', `/api/v3/contacts/${row.id}`);
}

const operations = (call, contact) => {
  const keys = ['email', 'mobilePhone', 'memberNumber', 'socialSecurityNumber'].filter((key) => contact[key]);
  const lookups = keys.map((key) => [
    `look up a contact by ${key}`,
    () =>
      call('GET', `/api/v3/contacts/id?contactType=${contact.contactType}&${key}=${encodeURIComponent(contact[key])}`),
  ]);
  return {
    constant: [
      ['reset', () => call('POST', '/__admin/reset', { scopes: ['state'] })],
      ['snapshot', (n) => call('POST', `/__admin/snapshots/s${n % mostSnapshots}`)],
      ['restore', () => call('POST', '/__admin/snapshots/base/restore')],
      ['new tenant', (n) => call('POST', '/__admin/tenants', { name: `t${n}` })],
    ],
    lookups: [
      ['get a contact by id', () => call('GET', `/api/v3/contacts/${contact.id}`)],
      ...lookups,
      ['transactions of a contact', () => call('GET', `/api/v3/transactions?contactId=${contact.id}`)],
      [
        'promotion assignments of a contact',
        () => call('GET', `/api/v3/promotion-assignments?contactId=${contact.id}`),
      ],
    ],
  };
};

/**
 * Returns the fewest microseconds of a call on either size, in turns, so that what the machine does meanwhile falls on
 * both alike.
 */
async function inTurns(calls) {
  const taken = calls.map(() => []);
  for (let turn = 0; turn < 2 * turns; turn++) {
    const side = turn % 2;
    taken[side].push(await timeOf((n) => calls[side](turn * times + n), times));
  }
  return taken.map((measured) => Math.min(...measured));
}

/** A tenant has no more than a thousand. */
const mostSnapshots = 900;

const targets = { constant: { limit: 1 }, lookups: { target: 1.5 } };

export async function sizes() {
  const sims = [await simOf(small), await simOf(large)];
  const sets = [];
  for (const sim of sims) {
    const call = client(sim);
    await call('POST', '/__admin/snapshots/base');
    sets.push(operations(call, await someContact(sim, call)));
  }
  const rows = [];
  for (const [group, i, what] of sharedCalls(sets)) {
    const [few, many] = await inTurns(
      sets.map((set) => set[group].find(([name]) => name === what)[1]),
      i,
    );
    rows.push({
      what: `${what} (in process, through the pipeline)`,
      bare: `${round(few)} µs at ${small}`,
      sim: `${round(many)} µs at ${large.toLocaleString('en')}`,
      ratio: many / few,
      milliseconds: many / 1000,
      better: 'lower',
      ...targets[group],
    });
  }
  return rows;
}

/** Returns the calls that both sizes can be asked for: a contact may lack a key. */
const sharedCalls = ([first, second]) =>
  Object.keys(targets).flatMap((group) =>
    first[group]
      .map(([what], i) => [group, i, what])
      .filter(([, , what]) => second[group].some(([name]) => name === what)),
  );
