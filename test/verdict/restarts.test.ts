/** Clients that are started again: what waited is not lost, and what was done is not doubled. */
import { describe, expect, it } from 'vitest';
import { astrid, bo } from '../support/people.ts';
import { lost, on, openStage, unreached } from '../support/programs.ts';
import type { Program, Send, Stage, Way } from '../support/programs.ts';
import { receiptOf } from '../support/receipt.ts';
import { inTime } from '../support/in-time.ts';

const till = { headers: { 'x-sim-client': 'till-7' } };

const sell = (send: Send, key: string, fields: object = {}, contactId = astrid) =>
  send('POST', '/api/v3/receipts', receiptOf(contactId, key, fields));

const pointsOf = (timeStamp?: string) => [
  { contactId: astrid, definitionId: 1, amount: 120, source: 'Adjustment', description: 'welcome', timeStamp },
];
const addPoints = (send: Send, timeStamp: string | undefined = '2026-03-01T11:00:00Z') =>
  send('POST', '/api/v3/point-accounts/transactions', pointsOf(timeStamp));

type Play = (send: Send) => Promise<unknown>;

/** Plays each of these by a program that is started for it, and ends with it. */
async function playInTurn(start: Stage['start'], caller: object, ...plays: readonly Play[]) {
  for (const play of plays) {
    const program = start(caller);
    await play(program);
    await program.kill();
  }
}

/** Does the same by programs that keep their connections, as the last one shows. */
const playByKept = (start: Stage['start'], caller: object, ...plays: readonly Play[]) =>
  playInTurn(start, caller, ...plays.slice(0, -1), async (send) => {
    await plays.at(-1)?.(send);
    await send('GET', '/consents');
  });

const messages = ({ whole }: Awaited<ReturnType<Stage['judge']>>, rule: string): string[] =>
  whole.operations.flatMap(({ findings }) =>
    findings.filter((one) => one.rule === rule).map(({ level, message }) => `${level}: ${message}`),
  );

describe('the verdict on restarted clients', () => {
  it('fails a client whose queue does not outlive a restart', inTime, async () => {
    const { start, judge } = await openStage('over HTTP', { rules: [on('createReceipt', 504)] });
    await playByKept(
      start,
      till,
      (send) => sell(send, 'a'),
      (send) => sell(send, 'b', {}, bo),
    );
    const judged = await judge();
    expect(messages(judged, 'R13')).toEqual([
      'fail: POST /api/v3/receipts (default-1) failed before till-7 was started again at default-2, and was never delivered since, though till-7 did other work',
    ]);
  });

  it.each<[string, (stage: Stage) => Promise<unknown>]>([
    [
      'delivers its queue after a restart',
      async ({ start }) => {
        await playInTurn(
          start,
          till,
          (send) => sell(send, 'a'),
          async (send) => {
            await sell(send, 'a');
            await sell(send, 'b', {}, bo);
          },
        );
      },
    ],
    [
      'has another client of its kind beside it',
      async ({ start }) => {
        const own = start(till);
        await sell(own, 'a');
        await sell(start({ headers: { 'x-sim-client': 'till-8' } }), 'b', {}, bo);
        await sell(own, 'a');
      },
    ],
    [
      'does not declare itself',
      async ({ start }) => {
        await playInTurn(
          start,
          {},
          (send) => sell(send, 'a'),
          (send) => sell(send, 'b', {}, bo),
        );
      },
    ],
    [
      'only reads something that fails',
      async ({ start }) => {
        await playInTurn(
          start,
          till,
          (send) => send('GET', `/api/v3/contacts/${astrid}`),
          (send) => sell(send, 'b', {}, bo),
        );
      },
    ],
  ])('finds nothing lost over a restart by a client that %s', inTime, async (_, play) => {
    const stage = await openStage('over HTTP', { rules: [on('createReceipt', 504)] });
    await play(stage);
    expect(messages(await stage.judge(), 'R13')).toEqual([]);
  });

  it('fails a client that sends a sale again under another key after a restart', inTime, async () => {
    const { start, judge } = await openStage('over HTTP', { rules: [on('createReceipt', lost)] });
    const before = start(till);
    await sell(before, 'x', {}, bo);
    // The fault has ended the connection; the next one ends with the program.
    for (const key of ['y', 'z']) await sell(before, key, {}, `${astrid.slice(0, -1)}${key === 'y' ? 3 : 4}`);
    await before.kill();
    await sell(start(till), 'again', {}, bo);
    const { failedBy } = await judge();
    expect(failedBy).toContain('R14');
  });

  it.each<[string, object, string[]]>([
    ['declares itself', till, ['fail']],
    ['does not', {}, ['inconclusive']],
  ])('judges a worker that sends a bulk again after 202, when it %s', inTime, async (_, caller, levels) => {
    const { start, judge } = await openStage('over HTTP');
    await playByKept(start, caller, addPoints, addPoints);
    const found = messages(await judge(), 'R14');
    expect(found.map((message) => message.split(':')[0])).toEqual(levels);
  });

  it.each<[string, object, string[]]>([
    ['declares itself', till, ['fail']],
    ['does not', {}, ['inconclusive']],
  ])('judges a till that books its last sale again under a new key, when it %s', inTime, async (_, caller, levels) => {
    const { start, judge } = await openStage('over HTTP');
    await playByKept(start, caller, ...['a', 'b'].map((key) => (send: Send) => sell(send, key)));
    const found = messages(await judge(), 'R14');
    expect([...new Set(found.map((message) => message.split(':')[0]))]).toEqual(levels);
  });

  it.each<[string, object, string[]]>([
    ['declares itself', till, ['R14 inconclusive']],
    ['does not', {}, ['R14 inconclusive']],
  ])(
    'takes two equal bulks by a connection each for no restart, when the client %s',
    inTime,
    async (_, caller, found) => {
      const { start, judge } = await openStage('over HTTP');
      await playInTurn(start, caller, addPoints, addPoints);
      expect((await judge()).findings).toEqual(found);
    },
  );

  it('takes two receipts by a connection each, the first of which failed, for no restart', inTime, async () => {
    const { start, judge } = await openStage('over HTTP', { rules: [on('createReceipt', 504)] });
    await playInTurn(
      start,
      till,
      (send) => sell(send, 'a'),
      (send) => sell(send, 'b', {}, bo),
    );
    expect((await judge()).failedBy).toEqual(['R1']);
  });

  it.each<[string, (stage: Stage) => Promise<unknown>, string[]]>([
    [
      'nothing says when it was',
      async ({ start }) => {
        await playInTurn(start, till, ...[1, 2].map(() => (send: Send) => addPoints(send, '')));
      },
      [],
    ],
    [
      'nothing says when it was, nor who it is',
      async ({ start }) => {
        await playInTurn(start, {}, ...[1, 2].map(() => (send: Send) => addPoints(send, '')));
      },
      [],
    ],
    [
      'it looked in between, and nothing says who it is',
      async ({ start }) => {
        await playInTurn(start, {}, addPoints, async (send) => {
          await send('GET', `/api/v3/point-accounts?contactId=${astrid}`);
          await addPoints(send);
        });
      },
      [],
    ],
    [
      'another write came in between',
      async ({ start }) => {
        const between = async (send: Send): Promise<void> => {
          await addPoints(send);
          await sell(send, 'between');
        };
        await playInTurn(start, till, between, addPoints);
      },
      [],
    ],
    [
      'its first write after the restart is another one',
      async ({ start }) => {
        await playInTurn(start, till, addPoints, async (send) => {
          await sell(send, 'first');
          await addPoints(send);
        });
      },
      [],
    ],
    [
      'each is of its own time',
      async ({ start }) => {
        const times = ['2026-03-01T11:00:00Z', '2026-03-01T11:05:00Z'];
        await playInTurn(start, till, ...times.map((time) => (send: Send) => addPoints(send, time)));
      },
      [],
    ],
    [
      'two clients did it',
      async ({ start }) => {
        await addPoints(start(till));
        await addPoints(start({ headers: { 'x-sim-client': 'till-8' } }));
      },
      [],
    ],
    [
      'a pool opens a connection for each request',
      async ({ start }) => {
        const send = start({ ...till, connections: 0 });
        for (let i = 0; i < 2; i++) await addPoints(send);
      },
      ['inconclusive'],
    ],
    [
      'a client that does not declare itself opens a connection for each request',
      async ({ start }) => {
        await sell(start({ connections: 0 }), 'sale-1');
        await sell(start({ connections: 0 }), 'sale-2');
      },
      ['note'],
    ],
    [
      'the client sends the same all day',
      async ({ start }) => {
        await playInTurn(start, till, ...[1, 2, 3, 4].map((i) => (send: Send) => sell(send, `sale-${i}`)));
      },
      [],
    ],
  ])('does not fail what is equal over a restart when %s', inTime, async (_, play, levels) => {
    const stage = await openStage('over HTTP');
    await play(stage);
    const found = messages(await stage.judge(), 'R14');
    expect([...new Set(found.map((message) => message.split(':')[0]))]).toEqual(levels);
  });

  it('leaves open whether a client that was started again has counted its attempts from 1', async () => {
    const { start, judge } = await openStage('over HTTP', {
      rules: [on('createReceipt', 504, 504)],
      policy: { maxAttempts: 2 },
    });
    const before = start(till);
    await sell(before, 'a');
    await sell(before, 'a');
    await before.kill();
    await sell(start(till), 'a');
    const { findings } = await judge();
    // The pauses are those of the machine: R6 may say that they did not grow.
    expect(findings.filter((found) => found !== 'R6 note')).toEqual(['R7 inconclusive']);
  });

  it('lets a client that was killed after a 202 send the same bulk again under its key', inTime, async () => {
    const { start, judge } = await openStage('over HTTP');
    for (const program of [start(till), start(till)]) {
      await program('POST', '/api/v3/point-accounts/transactions', pointsOf('2026-03-01T11:00:00Z'), {
        'idempotency-key': 'batch-1',
      });
      await program.kill();
    }
    expect((await judge()).findings).toEqual(['R2 note']);
  });

  it.each<[string, (stage: Stage) => Promise<unknown>]>([
    [
      'opens a connection for each request, and loses a sale',
      async ({ start }) => {
        const send = start({ ...till, connections: 0 });
        for (const key of ['a', 'b', 'c']) await sell(send, key, {}, key === 'a' ? bo : astrid);
      },
    ],
    [
      'lost its only connection, and a sale with it',
      async ({ start }) => {
        const send = start({ ...till, connections: 1 });
        for (const key of ['b', 'c', 'd']) await sell(send, key, {}, key === 'b' ? bo : astrid);
      },
    ],
    [
      'opens a connection for each request, and repeats points blindly',
      async ({ start }) => {
        const send = start({ ...till, connections: 0 });
        for (let i = 0; i < 2; i++) await addPoints(send);
        await sell(send, 'c');
      },
    ],
  ])('takes no new connection for a restart when a client %s', inTime, async (_, play) => {
    const rules = [
      { ...on('createReceipt', 504), match: { endpoint: 'createReceipt', body: { uniqueReceiptId: 'a' } } },
      { ...on('createReceipt', unreached), match: { endpoint: 'createReceipt', body: { uniqueReceiptId: 'b' } } },
      on('addPointTransactions', lost),
    ];
    const stage = await openStage('over HTTP', { rules });
    await play(stage);
    const { verdict, failedBy } = await stage.judge();
    expect(verdict).toBe('FAIL');
    expect(failedBy).not.toEqual(expect.arrayContaining([expect.stringMatching(/R13|R14/)]));
  });

  it('sees a restart after a connection that a fault had broken', inTime, async () => {
    const { start, judge } = await openStage('over HTTP', { rules: [on('createReceipt', unreached)] });
    const before = start(till);
    await sell(before, 'a');
    for (const key of ['b', 'c']) await sell(before, key, { totalGrossPrice: 99 }, bo);
    await before.kill();
    await sell(start(till), 'd', { totalGrossPrice: 50 }, bo);
    expect(messages(await judge(), 'R13')).toEqual([expect.stringContaining('till-7 was started again at default-4')]);
  });

  it.each(
    ['4s', '10s', '20s', '30s', '50s', '59s'].flatMap((pause) => [{}, till].map((caller) => [pause, caller] as const)),
  )(
    'fails a fourth attempt of three after %s on one kept connection, from a client with %j',
    inTime,
    async (pause, caller) => {
      const stage = await openFailingStage();
      const send = stage.start(caller);
      await sellWithPauses(stage, [send, send, send, send], pause);
      expect((await stage.judge()).findings).toEqual(['R7 fail']);
    },
  );

  it.each<[string, (stage: Stage) => Promise<unknown>, string[]]>([
    [
      'over a new connection, while the former one is open',
      async (stage) => {
        const [send, worker] = [stage.start(till), stage.start(till)];
        await sellWithPauses(stage, [send, send, send, worker], '50s');
      },
      ['R7 fail'],
    ],
    [
      'over a new connection, after the former one has ended',
      async (stage) => {
        const send = stage.start(till);
        await sellWithPauses(stage, [send, send, send], '2s');
        await send.kill();
        await stage.wait('50s');
        await sell(stage.start(till), 'A-1');
      },
      ['R7 inconclusive'],
    ],
    [
      'over a new connection, from a client that does not declare itself',
      async (stage) => {
        const send = stage.start();
        await sellWithPauses(stage, [send, send, send], '2s');
        await send.kill();
        await stage.wait('50s');
        await sell(stage.start(), 'A-1');
      },
      ['R7 inconclusive'],
    ],
    [
      'over a connection of its own, as each before',
      async (stage) => {
        const send = stage.start({ ...till, connections: 0 });
        await sellWithPauses(stage, [send, send, send, send], '50s');
      },
      ['R7 inconclusive'],
    ],
    [
      'behind a proxy, whose connection it is',
      async (stage) => {
        const send = stage.start({ headers: { ...till.headers, via: '1.1 proxy' } });
        await sellWithPauses(stage, [send, send, send, send], '50s');
      },
      ['R7 inconclusive'],
    ],
    [
      'when its fallback is due',
      async (stage) => {
        const send = stage.start(till);
        await sellWithPauses(stage, [send, send, send, send], '60s');
      },
      [],
    ],
  ])('judges a fourth attempt of three that comes %s', inTime, async (_, play, found) => {
    const stage = await openFailingStage();
    await play(stage);
    expect((await stage.judge()).findings.filter((one) => one.startsWith('R7'))).toEqual(found);
  });

  it('tells in which pause a client in process may have been started again', async () => {
    const stage = await openFailingStage('in process');
    await sellWithPauses(stage, [stage.send, stage.send, stage.send, stage.send], '50s');
    expect(messages(await stage.judge(), 'R7')).toEqual([
      'inconclusive: POST /api/v3/receipts was tried 4 times; declared: 3; but in a pause far longer than the others its client may have been started again',
    ]);
  });

  it('fails who counts too far before a restart', inTime, async () => {
    const stage = await openFailingStage();
    const send = stage.start(till);
    await sellWithPauses(stage, [send, send, send, send], '50s');
    await send.kill();
    await stage.wait('55s');
    await sell(stage.start(till), 'B-1', {}, bo);
    expect((await stage.judge()).findings).toContain('R7 fail');
  });

  it.each<[string, (programs: { readonly own: Program; readonly worker: Program }) => Promise<unknown>]>([
    ['is still open', async () => {}],
    ['is used once more', async ({ own }) => own('GET', '/api/v3/consents')],
    ['ends after that', async ({ own }) => own.kill()],
    ['ends with the whole program after that', async ({ own, worker }) => Promise.all([own.kill(), worker.kill()])],
  ])('takes no worker next to a till for a restart when the connection of the till %s', inTime, async (_, end) => {
    const stage = await openStage('over HTTP', { rules: [on('createReceipt', lost)] });
    await end(await deliverBesideTill(stage));
    expect((await stage.judge()).failedBy.toSorted()).toEqual(['R10', 'R5']);
  });

  it.each<[string, readonly ('look' | 'again')[]]>([
    ['after it', ['again', 'look']],
    ['before it', ['look', 'again']],
  ])(
    'leaves open whether one of many threads sells again under another key, when it looks %s',
    inTime,
    async (_, calls) => {
      const slow = { match: { endpoint: 'listConsents' }, fault: { delay: '100ms' } };
      const { start, judge } = await openStage('over HTTP', { rules: [on('createReceipt', lost), slow] });
      const [one, other] = [start(), start()];
      const both = () => Promise.all([one, other].map((thread) => thread('GET', '/api/v3/consents')));
      await both();
      await sell(one, 'till-1-0');
      await both();
      for (const call of calls)
        await (call === 'look' ? one('GET', `/api/v3/transactions?contactId=${astrid}`) : sell(one, 'till-1-1'));
      await both();
      expect([...new Set((await judge()).findings)]).toEqual(['R10 inconclusive']);
    },
  );

  it('loses nothing over a restart while a former connection is open', inTime, async () => {
    const { start, judge } = await openStage('over HTTP', { rules: [on('createReceipt', 504)] });
    await sell(start(till), 'a');
    await sell(start(till), 'b', {}, bo);
    expect((await judge()).failedBy).toEqual(['R1']);
  });
});

const queued = { maxAttempts: 3, storeAndForward: { after: '1m' }, minBackoff: '1s' };

/** Opens a stage on which three attempts of a receipt fail. */
const openFailingStage = (way: Way = 'over HTTP') =>
  openStage(way, { rules: [on('createReceipt', 504, 504, 504)], policy: queued });

/** Sends a receipt with each of these programs in turn, with 1, 2 and so many seconds in between. */
async function sellWithPauses(stage: Stage, programs: readonly Send[], pause: string): Promise<void> {
  for (const [i, program] of programs.entries()) {
    if (i > 0) await stage.wait(['1s', '2s', pause][i - 1] ?? pause);
    await sell(program, 'A-1');
  }
}

/** Sells with a till, and again under another key with a worker of the same program that has a connection of its own. */
async function deliverBesideTill({ start }: Stage): Promise<{ readonly own: Program; readonly worker: Program }> {
  const [own, worker] = [start(till), start(till)];
  await own('GET', '/api/v3/consents');
  await sell(own, 'Q-2', { receiptNumber: '1' });
  await own('GET', '/api/v3/consents');
  await sell(worker, 'Q-2q', { receiptNumber: '1' });
  return { own, worker };
}
