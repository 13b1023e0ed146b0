/** A point master of its own, right or with one defect: `node master.mjs <port> <folder> [defect]`. */
import { createDecipheriv, createHmac, timingSafeEqual } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const fiveMinutes = 300;
const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

class Refusal extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

function idOf(body) {
  try {
    return JSON.parse(body.toString()).id;
  } catch {
    return undefined;
  }
}

/** Starts a point master; what it has booked is in `folder`, so that another can go on there. */
export async function startMaster({ port = 0, folder, defect, serviceUrl, keys, secret, onEnd = () => {} }) {
  const has = (name) => defect === name;
  const file = join(folder, 'ledger.jsonl');
  const stored =
    existsSync(file) && !has('in-memory')
      ? readFileSync(file, 'utf8')
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line))
      : [];
  mkdirSync(folder, { recursive: true });
  let entries = stored;
  const seen = new Set(stored.map(({ id }) => id));
  let lastId = stored.at(-1)?.id;
  const contents = new Set();
  const busy = new Set();
  const unsent = new Map();
  const waiting = new Map();
  const closing = new AbortController();

  function checkSignature(headers, body) {
    if (has('checks-no-signature')) return;
    const [id, timestamp, signature] = ['id', 'timestamp', 'signature'].map((name) => headers[`webhook-${name}`]);
    if (!id || !timestamp || !signature) throw new Refusal(401, 'not signed');
    const isFresh = Math.abs(Date.now() / 1000 - Number(timestamp)) <= fiveMinutes;
    if (!isFresh && !has('checks-no-age')) throw new Refusal(401, 'too old');
    const mac = createHmac('sha256', Buffer.from(secret.replace('whsec_', ''), 'base64'));
    const expected = Buffer.from(`v1,${mac.update(`${id}.${timestamp}.`).update(body).digest('base64')}`);
    const isRight = (sent) => sent.length === expected.length && timingSafeEqual(Buffer.from(sent), expected);
    const signatures = has('one-signature') ? [signature] : signature.split(' ');
    if (!signatures.some(isRight)) throw new Refusal(401, 'wrong signature');
  }

  function decrypt(payload) {
    const bytes = Buffer.from(String(payload), 'base64url');
    for (const key of has('new-key-only') ? keys.slice(0, 1) : keys) {
      try {
        const decipher = createDecipheriv('aes-256-cbc', Buffer.from(key), bytes.subarray(0, 16));
        const text = Buffer.concat([decipher.update(bytes.subarray(16)), decipher.final()]).toString(
          has('latin-1') ? 'latin1' : 'utf8',
        );
        // oxlint-disable-next-line no-control-regex
        if (has('ascii-only') && /[^\u0000-\u007f]/.test(text)) continue;
        return JSON.parse(text);
      } catch {
        // The next key may be the one.
      }
    }
    throw new Refusal(400, 'not readable');
  }

  const balanceOf = (contactId, definitionId) =>
    entries
      .filter((entry) => entry.contactId === contactId && entry.definitionId === definitionId)
      .reduce((sum, { amount }) => sum + amount, 0);

  /** Waits for the next delivery: one that comes at the same moment meets it here, however busy the machine is. */
  async function untilAgain(what) {
    waiting.get(what)?.();
    const next = new Promise((resolve) => waiting.set(what, resolve));
    await Promise.race([next, sleep(300)]);
  }

  async function take(headers, body) {
    if (has('echoes-its-key')) throw new Refusal(400, `\u001b[2J key\n${keys[0]}`);
    if (has('is-busy-at-first') && !busy.has(idOf(body))) {
      busy.add(idOf(body));
      throw new Refusal(503, 'busy');
    }
    if (has('stores-id-first') && takeId(idOf(body))) return;
    checkSignature(headers, body);
    let envelope;
    try {
      envelope = JSON.parse(body.toString());
    } catch {
      if (has('ends-at-bad-json')) return end();
      if (has('ends-late-at-bad-json')) {
        close();
        return void setTimeout(onEnd, 200);
      }
      throw new Refusal(400, 'not JSON');
    }
    const { id, eventType, payload: sealed } = envelope;
    if (typeof id !== 'string') throw new Refusal(400, 'no envelope');
    if (eventType !== 'loyalty.addPoints' && !has('books-any-event')) {
      if (has('refuses-other-events')) throw new Refusal(400, 'unknown event');
      return;
    }
    const payload = decrypt(sealed);
    const { contactId, amount: sent, pointDefinitionId: definitionId, description } = payload;
    if (has('strict-fields') && ('apiVersion' in envelope || 'campaign' in payload))
      throw new Refusal(400, 'unknown field');
    if (typeof contactId !== 'string' || typeof sent !== 'number') throw new Refusal(400, 'field missing');
    if (has('refuses-negative') && sent < 0) throw new Refusal(400, 'negative');
    if (has('checks-then-waits')) {
      if (seen.has(id)) return;
      await untilAgain(id);
    } else if (isRepeated(id) && !has('stores-id-first')) return;
    const mark = JSON.stringify([contactId, sent]);
    if (has('by-content') && contents.has(mark)) return;
    contents.add(mark);
    seen.add(id);
    lastId = id;
    const before = balanceOf(contactId, definitionId);
    const amount = has('whole-points') ? Math.trunc(sent) : has('stops-at-zero') ? Math.max(sent, -before) : sent;
    const entry = { id, contactId, definitionId, amount, description, at: new Date().toISOString() };
    if (has('loses-updates')) {
      const copy = [...entries];
      await untilAgain('any');
      entries = [...copy, entry];
    } else entries.push(entry);
    appendFileSync(file, `${JSON.stringify(entry)}\n`);
    note(entry);
  }

  /** Keeps an id; returns whether it was kept before. */
  function takeId(id) {
    if (typeof id !== 'string') return false;
    const isKnown = seen.has(id);
    seen.add(id);
    return isKnown;
  }

  function isRepeated(id) {
    if (has('books-twice')) return false;
    return has('last-id-only') ? id === lastId : seen.has(id);
  }

  let sending = Promise.resolve();

  function note({ contactId, definitionId, amount }) {
    const timeStamp = new Date().toISOString();
    if (has('sends-changes')) {
      sending = sending.then(() => sendList([{ contactId, definitionId, amount, timeStamp }]));
      return;
    }
    noteTotal({ contactId, definitionId });
  }

  function noteTotal({ contactId, definitionId }) {
    const timeStamp = new Date().toISOString();
    const total = Number(balanceOf(contactId, definitionId).toFixed(6));
    unsent.set(`${contactId}/${definitionId}`, { contactId, definitionId, amount: total, timeStamp });
    if (unsent.size === 1) setTimeout(() => (sending = sending.then(sendUnsent)), 20);
  }

  async function sendUnsent() {
    if (has('sends-all-totals')) entries.forEach(noteTotal);
    const list = [...unsent.values()];
    unsent.clear();
    if (list.length > 0) await sendList(list);
  }

  async function sendList(list) {
    while (!closing.signal.aborted) {
      const status = await fetch(`${serviceUrl}/api/v3/point-accounts/balances`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(has('sends-an-object') ? { balances: list } : list),
      }).then(
        (response) => response.status,
        () => 0,
      );
      if ((status >= 200 && status < 500) || has('never-repeats-balances')) return;
      if (status === 0 && has('never-repeats-lost-lists')) return;
      if (has('rebuilds-lists')) return list.forEach(noteTotal);
      await sleep(has('repeats-late') ? 1500 : 100);
    }
  }

  function historyOf(contactId) {
    const own = entries.filter((entry) => entry.contactId === contactId);
    const shown = (text) => (has('own-descriptions') ? 'Adjustment' : text);
    const items = own.map(({ at, amount, description }) => ({
      transactionDate: at,
      amount,
      description: shown(description),
    }));
    if (!has('history-of-totals') || items.length === 0) return items;
    return [{ ...items[0], amount: items.reduce((sum, { amount }) => sum + amount, 0) }];
  }

  const server = createServer(async (incoming, outgoing) => {
    const url = new URL(incoming.url, 'http://localhost');
    if (incoming.method === 'GET' && url.pathname === '/fetchPointHistory') {
      const items = historyOf(url.searchParams.get('id'));
      if (items.length === 0 && has('history-404')) return void outgoing.writeHead(404).end();
      outgoing.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(items));
      return;
    }
    const chunks = [];
    try {
      for await (const chunk of incoming) chunks.push(chunk);
    } catch {
      // The connection ended in the middle of the body.
      return;
    }
    try {
      await take(incoming.headers, Buffer.concat(chunks));
      outgoing.writeHead(200).end();
    } catch (error) {
      const isTaken = has('accepts-unreadable') && error.status !== 401;
      outgoing.writeHead(isTaken ? 200 : (error.status ?? 500)).end(error.message);
    }
  });
  server.listen(port, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  if (has('sends-all-totals')) setInterval(() => entries.forEach(noteTotal), 100).unref();
  // What an earlier process had not sent any more.
  const known = new Map(entries.map((entry) => [`${entry.contactId}/${entry.definitionId}`, entry]));
  for (const entry of known.values()) noteTotal(entry);

  function close() {
    closing.abort();
    server.close();
    server.closeAllConnections();
  }

  function end() {
    close();
    onEnd();
  }

  return { port: server.address().port, close };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [, , port, folder, defect] = process.argv;
  await startMaster({
    port: Number(port),
    folder,
    defect,
    serviceUrl: process.env.LOYALTY_SIM_URL,
    keys: [process.env.LOYALTY_SIM_WEBHOOK_KEY, 'fedcba9876543210fedcba9876543210'],
    secret: process.env.LOYALTY_SIM_WEBHOOK_SECRET,
    onEnd: () => process.exit(1),
  });
}
