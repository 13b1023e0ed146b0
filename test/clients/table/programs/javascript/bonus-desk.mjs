/** Adds points for events, several customers in one request, without a key unless told so. */
import { astrid, behaviour, bonus, elin, get, isFailed, johan, pause, paths, post, retry } from './kit.mjs';

const rows = [bonus(astrid, 50), bonus(johan, 70)];
const add = (body, headers) => post(paths.bulkPoints, body, { headers });
const accountOf = async (who) => {
  const response = await retry(() => get(paths.accounts(who)));
  return (response?.body?.items ?? []).find(({ definitionId }) => definitionId === 2);
};
const pointsOf = async (who) => {
  const account = await accountOf(who);
  return (account?.balance ?? 0) + (account?.pendingPoints ?? 0);
};

const ways = {
  async looks() {
    const before = [await pointsOf(astrid), await pointsOf(johan)];
    let response = await add(rows);
    for (let i = 0; i < 4 && isFailed(response); i++) {
      await pause(80);
      const now = [await pointsOf(astrid), await pointsOf(johan)];
      if (now[0] > before[0] && now[1] > before[1]) break;
      response = await add(rows);
    }
    await pointsOf(elin);
  },
  async blind() {
    await retry(() => add(rows));
  },
  async 'foreign-look'() {
    let response = await add(rows);
    for (let i = 0; i < 3 && isFailed(response); i++) {
      await pause(300);
      await pointsOf(elin);
      response = await add(rows);
    }
  },
  async drops() {
    await add(rows);
    await pointsOf(elin);
    await add([bonus(elin, 20)]);
  },
  async keyed() {
    await retry(() => add(rows, { 'idempotency-key': 'evening-1' }));
    await pointsOf(astrid);
  },
  async 'new-key'() {
    await retry((i) => add(rows, { 'idempotency-key': `evening-${i}` }));
  },
  async 'new-key-after-look'() {
    let response = await add(rows, { 'idempotency-key': 'evening-1' });
    for (let i = 2; i < 5 && isFailed(response); i++) {
      await pause(80);
      await get('/consents');
      response = await add(rows, { 'idempotency-key': `evening-${i}` });
    }
  },
  async split() {
    if (isFailed(await add(rows))) {
      await pause(80);
      for (const row of rows) await retry(() => add([row]));
    }
  },
  async 'numbered-text'() {
    await retry((i) =>
      add(rows.map((row) => (i === 0 ? row : { ...row, description: `${row.description} (attempt ${i + 1})` }))),
    );
  },
  async 'other-endpoint'() {
    const account = await accountOf(astrid);
    if (isFailed(await add([bonus(astrid, 50)]))) {
      await pause(80);
      const body = { accountId: account.id, transactionId: 'desk-1', transactionType: 'Addition', amount: 50 };
      await retry(() => post(paths.points, { ...body, description: 'Style evening', source: 'Adjustment' }));
    }
  },
  async 'failed-look'() {
    const before = await pointsOf(astrid);
    let response = await add([bonus(astrid, 50)]);
    for (let i = 0; i < 3 && isFailed(response); i++) {
      await pause(80);
      const looked = await get(paths.accounts(astrid));
      const now = looked?.body?.items?.find(({ definitionId }) => definitionId === 2);
      if (now && now.balance + now.pendingPoints > before) break;
      response = await add([bonus(astrid, 50)]);
    }
  },
  async 'expired-points'() {
    await add([{ ...bonus(astrid, 50), validTo: '2020-01-01T00:00:00Z' }]);
  },
};

await ways[behaviour]();
