/** Bonus desks: they give points in bulk and one by one, and checkpoints of challenges. Each has one defect. */
import { Careful, sleep, Undelivered } from './careful.mjs';
import { addition, award, bulk, bulkRow, checkpointRow, update } from './bodies.mjs';

const astrid = '5a0e7c1e-0001-4000-8000-000000000001';
const johan = '5a0e7c1e-0001-4000-8000-000000000002';
const elin = '5a0e7c1e-0001-4000-8000-000000000003';
const fiveVisits = '9b1d0c00-cccc-4000-8000-000000000001';

const hasRow = (desk, { contactId, definitionId, description }) => desk.hasPoints(contactId, definitionId, description);

/** A bulk that is looked for, by the description of its first row, before it is repeated. */
function lookedUp(desk, rows) {
  const named = rows.map((row) => bulkRow({ ...row, description: desk.newKey() }));
  return bulk(named, { tookEffect: () => hasRow(desk, named[0]) });
}

const accountsOf = async (desk, contactId) =>
  (await desk.find(`/api/v3/point-accounts?contactId=${contactId}`))?.items ?? [];

/** Two evenings of points, and one addition to an account that is there. */
async function evening(desk, makeBulk = lookedUp) {
  await desk.post(
    makeBulk(desk, [
      { contactId: astrid, amount: 30 },
      { contactId: johan, amount: 40 },
    ]),
  );
  await desk.post(makeBulk(desk, [{ contactId: elin, amount: 50 }]));
  const [account] = await accountsOf(desk, astrid);
  if (account) await desk.post(addition({ key: desk.newKey(), accountId: account.id, amount: 5 }));
  await desk.finish();
  await accountsOf(desk, elin);
}

export async function asksForTheRest(fetch, baseUrl, key) {
  class Desk extends Careful {
    /** The response says which blocks were not accepted, so the desk needs the whole of it. */
    async onCutBody(error, status, request) {
      if (request.path !== '/api/v3/challenges/checkpoints') return super.onCutBody(error, status, request);
      const again = await this.attempt(request);
      return JSON.stringify(again?.body ?? {});
    }
  }
  await visits(new Desk(fetch, baseUrl, key, 'asks-for-the-rest'));
}

/** Checkpoints for two customers, one after the other, each looked up before it is repeated. */
async function visits(desk, countOf = (contactId) => desk.checkpoints(contactId, fiveVisits)) {
  for (const contactId of [astrid, johan]) {
    const before = await desk.insist(() => desk.checkpoints(contactId, fiveVisits));
    const tookEffect = async () => (await countOf(contactId)) > before;
    await desk.write(award([checkpointRow(contactId, fiveVisits)], { tookEffect }));
    await desk.post(update(contactId, { store: '100' }));
  }
  await desk.finish();
}

export async function failedCount(fetch, baseUrl, key) {
  const desk = new Careful(fetch, baseUrl, key, 'failed-count');
  await visits(desk, async (contactId) => {
    const path = `/api/v3/challenges?contactId=${contactId}&definitionId=${fiveVisits}`;
    const answer = await desk.attempt({ method: 'GET', path });
    return answer?.body?.items?.[0]?.completedCheckpoints ?? 0;
  });
}

export async function countsTooLate(fetch, baseUrl, key) {
  const desk = new Careful(fetch, baseUrl, key, 'counts-too-late');
  for (const contactId of [astrid, johan]) {
    await desk.find(`/api/v3/challenges?contactId=${contactId}`);
    let before;
    /** Counts when it is needed first, which saves a request. */
    const tookEffect = async () => {
      const now = await desk.checkpoints(contactId, fiveVisits);
      before ??= now;
      return now > before;
    };
    await desk.write(award([checkpointRow(contactId, fiveVisits)], { tookEffect }));
  }
  await desk.finish();
}

export async function halfBatch(fetch, baseUrl, key) {
  const desk = new Careful(fetch, baseUrl, key, 'half-batch');
  const before = await desk.insist(() => desk.checkpoints(astrid, fiveVisits));
  await desk.insist(() => desk.checkpoints(johan, fiveVisits));
  const request = award([checkpointRow(astrid, fiveVisits), checkpointRow(johan, fiveVisits)]);
  /** The first customer's is there: only the others are left. */
  request.tookEffect = async () => {
    const isThere = (await desk.checkpoints(astrid, fiveVisits)) > before;
    if (isThere) request.text = JSON.stringify([checkpointRow(johan, fiveVisits)]);
    return false;
  };
  await desk.write(request);
  await desk.write(update(astrid, { store: '100' }));
}

export async function sharedCount(fetch, baseUrl, key) {
  const desk = new Careful(fetch, baseUrl, key, 'shared-count');
  const rows = [checkpointRow(astrid, fiveVisits), checkpointRow(johan, fiveVisits)];
  const before = {};
  const countOf = ({ contactId, definitionId }) => desk.checkpoints(contactId, definitionId);
  for (const row of rows) before[row.definitionId] = await desk.insist(() => countOf(row));
  const request = award(rows);
  /** Takes out of the batch what is there. */
  request.tookEffect = async () => {
    const missing = [];
    for (const row of rows) if ((await countOf(row)) <= before[row.definitionId]) missing.push(row);
    request.text = JSON.stringify(missing);
    return missing.length === 0;
  };
  await desk.write(request);
  await desk.write(update(astrid, { store: '100' }));
}

export async function hedges(fetch, baseUrl, key) {
  class Desk extends Careful {
    /** An addition has a key: a second one may overtake it when it is slow. */
    async attempt(request) {
      if (request.path !== '/api/v3/point-transactions') return super.attempt(request);
      const first = super.attempt(request);
      const isSlow = await Promise.race([first.then(() => false), sleep(200).then(() => true)]);
      return isSlow ? Promise.any([first, super.attempt(request)]) : first;
    }
  }
  const desk = new Desk(fetch, baseUrl, key, 'hedges');
  for (const contactId of [astrid, johan, elin]) {
    const [account] = await accountsOf(desk, contactId);
    if (account) await desk.write(addition({ key: desk.newKey(), accountId: account.id, amount: 5 }));
  }
}

export async function looksOnce(fetch, baseUrl, key) {
  class Desk extends Careful {
    forward(request) {
      let isLooked = false;
      return this.insist(async () => {
        if (!isLooked && (await request.tookEffect?.())) return { status: 200 };
        isLooked = true;
        return this.call(request);
      });
    }
  }
  await evening(new Desk(fetch, baseUrl, key, 'looks-once'));
}

export async function secondInQueue(fetch, baseUrl, key) {
  class Desk extends Careful {
    async finish() {
      let isBack = false;
      while (this.queue.length > 0) {
        if (!isBack) await sleep(this.forwardAfter);
        // Once the service is back, there is no need to doubt any more.
        await (isBack ? this.insist(() => this.call(this.queue[0])) : this.forward(this.queue[0]));
        isBack = true;
        this.queue.shift();
      }
    }

    /** What comes while something waits has to wait too, but is tried once: the service may be back. */
    async post(request) {
      if (this.queue.length === 0) return super.post(request);
      const answer = await this.attempt(request);
      if (!this.isFinal(answer)) this.queue.push(request);
      return answer;
    }
  }
  await evening(new Desk(fetch, baseUrl, key, 'second-in-queue'));
}

function keyed(desk, rows) {
  const name = desk.newKey();
  const named = rows.map((row) => bulkRow({ ...row, description: name }));
  return bulk(named, { headers: { 'idempotency-key': name } });
}

export async function leanQueue(fetch, baseUrl, key) {
  class Desk extends Careful {
    waiting({ method, path, text }) {
      return { method, path, text };
    }
  }
  await evening(new Desk(fetch, baseUrl, key, 'lean-queue'), keyed);
}

export async function oldestFirst(fetch, baseUrl, key) {
  class Desk extends Careful {
    /** Looks at one page of ten, the oldest first. */
    async hasPoints(contactId, definitionId, description) {
      const accounts = await this.look(`/api/v3/point-accounts?contactId=${contactId}`);
      const account = (accounts?.items ?? []).find((one) => one.definitionId === definitionId);
      if (!account) return false;
      const path = `/api/v3/point-transactions?id=${account.id}&sortBy=createdOn&sortOrder=asc&count=2`;
      return ((await this.look(path))?.items ?? []).some((one) => one.description === description);
    }
  }
  await evening(new Desk(fetch, baseUrl, key, 'oldest-first'));
}

export async function splitsBulk(fetch, baseUrl, key) {
  const desk = new Careful(fetch, baseUrl, key, 'splits-bulk');
  const rows = [astrid, johan, elin].map((contactId, i) =>
    bulkRow({ contactId, amount: 10 + i, description: `Style evening ${i}` }),
  );
  const name = desk.newKey();
  const send = (part, part0) => desk.call(bulk(part, { headers: { 'idempotency-key': part0 } }));
  await accountsOf(desk, astrid);
  try {
    await send(rows, name);
  } catch (error) {
    if (!(error instanceof Undelivered)) throw error;
    // Perhaps it was too large.
    await sleep(desk.forwardAfter);
    for (const [i, row] of rows.entries()) await desk.insist(() => send([row], `${name}-${i}`));
  }
  await desk.write(update(astrid, { store: '100' }));
  await accountsOf(desk, elin);
}
