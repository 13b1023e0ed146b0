/**
 * A till with a write-ahead queue: a journal file. A sale is on disk before anything of it is sent; receipts go out at
 * once, points and addresses at closing time. Started again with the same files, it delivers what is left, the oldest
 * first, and goes on with the next customer. Its argument names a defect; without one it has none.
 */
import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { fetch } from '../../../clients/quick-fetch.mjs';
import { award, bulk, bulkRow, checkpointRow, receipt, update } from '../tills/bodies.mjs';
import { Careful, sleep, Undelivered } from '../tills/careful.mjs';

const [defect = 'none', role = 'till'] = process.argv.slice(2);
const has = (...names) => names.includes(defect);

const fiveVisits = '9b1d0c00-cccc-4000-8000-000000000001';
const customers = ['astrid.lindqvist@example.com', 'johan.bergstrom@example.com', 'elin.sandberg@example.com'];

const folder = process.env.TILL_FOLDER ?? '.';
const journal = join(folder, 'queue.jsonl');
const salesFile = join(folder, 'sales');
const lock = join(folder, 'till.lock');

/** Writes a text to the disk, and returns when it is there. */
function writeDurably(file, text, flags) {
  const descriptor = openSync(file, flags);
  writeSync(descriptor, text);
  fsyncSync(descriptor);
  closeSync(descriptor);
}

const unsaved = [];

function append(record) {
  const line = `${JSON.stringify(record)}\n`;
  if (has('saves-at-exit')) unsaved.push(line);
  else writeDurably(journal, line, 'a');
}

process.on('exit', () => {
  if (unsaved.length > 0) writeDurably(journal, unsaved.join(''), 'a');
  if (has('stale-lock')) rmSync(lock, { force: true });
});

/** The number of sales, where it is kept beside the journal. */
const hasSalesFile = has('damaged-file', 'truncates', 'saves-at-exit');
function countSale(number) {
  if (!hasSalesFile) return;
  writeDurably(`${salesFile}.new`, String(number), 'w');
  renameSync(`${salesFile}.new`, salesFile);
}

const read = (file) => (existsSync(file) ? readFileSync(file, 'utf8') : '');

/** A last line without its end was never acted upon: it is taken off. */
function withoutTornLine(text) {
  if (text === '' || text.endsWith('\n')) return text;
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  writeDurably(`${journal}.new`, whole, 'w');
  renameSync(`${journal}.new`, journal);
  return whole;
}

function records(text) {
  if (has('damaged-file')) {
    try {
      return text
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line));
    } catch {
      renameSync(journal, `${journal}.damaged`);
      return [];
    }
  }
  if (has('half-written'))
    return text
      .split('\n')
      .filter(Boolean)
      .map((line) => parsed(line) ?? { sale: true, entries: [] });
  return withoutTornLine(text)
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

function parsed(line) {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** Reads the journal: what waits, the oldest first, and how many sales there were. */
function load() {
  const all = records(read(journal));
  const done = new Set(all.flatMap((record) => (record.done === undefined ? [] : [record.done])));
  for (const { undone } of all) done.delete(undone);
  const waiting = all
    .flatMap(({ entries = [], kept }) => (kept ? [kept] : entries))
    .filter(({ id }) => !done.has(id))
    .map((entry) => ({ ...entry, isTried: !has('no-look') }));
  const sold = all.filter(({ sale, begun }) => (has('cursor-first') ? begun : sale) !== undefined);
  const isOpen = ({ entries }) => entries.some(({ id }) => !done.has(id));
  const finished = has('twice') ? sold.filter((one) => !isOpen(one)) : sold;
  const sales = hasSalesFile ? Number(read(salesFile)) : finished.length;
  return { waiting: has('reversed') ? waiting.toReversed() : waiting, sales };
}

const till = new Careful(fetch, process.env.LOYALTY_SIM_URL, process.env.LOYALTY_SIM_API_KEY, `till-${defect}`);

// How long it waits for a response, in ms, where a busy machine must not make it give up.
till.timeout = Number(process.env.TILL_TIMEOUT ?? till.timeout);

let numbers = 0;
const newKey = () => (has('counter-in-memory') ? `${till.client}-${(numbers += 1)}` : randomUUID());

/** Whether an entry without a key is there already, as far as its look can say. */
async function tookEffect({ look }) {
  if (!look) return false;
  if (look.kind === 'points') return till.hasPoints(look.contactId, look.definitionId, look.description);
  return (await till.checkpoints(look.contactId, look.definitionId)) > look.before;
}

const withLook = (entry) => ({ ...entry, tookEffect: () => tookEffect(entry) });

/** All that a sale sends, with the keys under which it is sent. */
async function entriesOf(number) {
  const contactId = await till.contactId(customers[number]);
  const name = newKey();
  const points = [bulkRow({ contactId, amount: 25, description: name })];
  const isKeyed = number === 0;
  const entries = [
    receipt({ key: newKey(), contactId, price: 249 + number }),
    bulk(points, {
      ...(isKeyed ? { headers: { 'idempotency-key': name } } : {}),
      ...(!isKeyed && { look: { kind: 'points', contactId, definitionId: 2, description: name } }),
    }),
    update(contactId, { street: `Storgatan ${number}` }),
  ];
  if (number === 0) entries.push(update(contactId, { street: 'Storgatan 100' }));
  if (number === 1) entries.push(await visit(contactId));
  return entries.map((entry, i) => ({ id: `${number}.${i}`, ...entry }));
}

async function visit(contactId) {
  const before = await till.insist(() => till.checkpoints(contactId, fiveVisits));
  const look = { kind: 'checkpoints', contactId, definitionId: fiveVisits, before };
  return award([checkpointRow(contactId, fiveVisits)], { look });
}

const stored = ({ headers, ...entry }) => (has('lean-entries') ? entry : { ...entry, ...(headers && { headers }) });

let waiting = [];
/** What was given up is left alone until then. */
let heldUntil = 0;

const hold = (retryAfter = 0) => {
  heldUntil = performance.now() + Math.max(till.forwardAfter, retryAfter);
};

/** Sells to a customer: from here on, the person at the till has been told that it is done. */
async function sell(number) {
  if (has('cursor-first')) append({ begun: number });
  if (has('half-written')) writeDurably(journal, `{"sale":${number},`, 'a');
  const rewritten = has('truncates') ? openSync(journal, 'w') : undefined;
  const entries = await entriesOf(number);
  if (rewritten !== undefined) {
    writeSync(rewritten, `${JSON.stringify({ sale: number, entries: [...waiting, ...entries] })}\n`);
    closeSync(rewritten);
  } else if (has('half-written')) writeDurably(journal, `"entries":${JSON.stringify(entries)}}\n`, 'a');
  else append({ sale: number, entries: has('no-write-ahead') ? [] : entries.map(stored) });
  countSale(number + 1);
  waiting.push(...entries);
  await deliver(({ path }) => path === '/api/v3/receipts');
}

/** Delivers what waits, the oldest first, as far as it gets. */
async function deliver(isDue = () => true) {
  if (performance.now() < heldUntil) return;
  for (const entry of waiting.filter(isDue)) {
    try {
      await send(entry);
    } catch (error) {
      if (!(error instanceof Undelivered)) throw error;
      entry.isTried = true;
      hold(error.retryAfter);
      if (has('done-before-send')) append({ undone: entry.id });
      if (has('no-write-ahead')) append({ kept: entry });
      return;
    }
    waiting = waiting.filter((one) => one !== entry);
  }
}

async function send(entry) {
  if (entry.isTried && (await tookEffect(entry))) return void append({ done: entry.id });
  if (has('done-before-send')) append({ done: entry.id });
  if (has('damaged-file')) writeDurably(journal, `{"done":"${entry.id}"`, 'a');
  try {
    await till.call(withLook(entry));
    if (!has('damaged-file', 'done-before-send')) append({ done: entry.id });
  } finally {
    if (has('damaged-file')) writeDurably(journal, `}\n`, 'a');
  }
}

/** Delivers all, until the service takes it or the patience is over. */
async function close() {
  while (waiting.length > 0 && performance.now() - till.startedAt < till.patience) {
    await sleep(Math.max(0, heldUntil - performance.now()));
    await deliver();
  }
}

/** Looks what is there first, and delivers the rest. */
async function forwardAll() {
  await sleep(till.forwardAfter);
  const missing = [];
  for (const entry of waiting) if (!(await till.insist(() => tookEffect(entry)))) missing.push(entry);
  await sleep(60);
  for (const entry of missing) await till.write({ ...entry, tookEffect: () => tookEffect(entry) });
  for (const { id } of waiting) append({ done: id });
  waiting = [];
}

async function open() {
  const { waiting: left, sales } = load();
  const isLocked = has('stale-lock') && existsSync(lock);
  if (has('stale-lock')) writeDurably(lock, String(process.pid), 'w');
  waiting = has('never-sent') || isLocked ? [] : left;
  if (waiting.length > 0) hold();
  for (const entry of waiting) await renew(entry);
  if (has('two-processes') && waiting.length > 0) await forwardTwice();
  else await close();
  return sales;
}

/** What is not stored is made anew. */
async function renew(entry) {
  if (has('key-at-start') && entry.path === '/api/v3/receipts')
    entry.text = JSON.stringify({ ...JSON.parse(entry.text), uniqueReceiptId: newKey() });
  if (has('baseline-at-start') && entry.look?.kind === 'checkpoints')
    entry.look.before = await till.insist(() => till.checkpoints(entry.look.contactId, fiveVisits));
}

/** A process of its own delivers what is left, beside the till. */
async function forwardTwice() {
  const forwarder = fork(process.argv[1], [defect, 'forwarder']);
  await once(forwarder, 'message');
  await Promise.all([forwardAll(), once(forwarder, 'exit')]);
}

if (role === 'forwarder') {
  waiting = load().waiting;
  process.send('ready');
  await forwardAll();
  process.disconnect();
} else {
  for (let number = await open(); number < customers.length; number++) await sell(number);
  await close();
}
