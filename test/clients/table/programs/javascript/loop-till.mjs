/** Sells to three customers in turn, and sends each receipt by Node's fetch. */
import { astrid, advance, behaviour, elin, isFailed, johan, pause, paths, post, receipt, retry } from './kit.mjs';

const send = (body) => post(paths.receipts, body);

const ways = {
  right: (body) => retry(() => send(body)),
  'new-key': (body) => retry((i) => send({ ...body, uniqueReceiptId: `${body.uniqueReceiptId}-${i}` })),
  'new-time': (body) => retry((i) => send({ ...body, createdDate: `2026-11-20T10:15:0${i}Z` })),
  'same-instant': (body) =>
    retry((i) => send({ ...body, createdDate: i === 0 ? '2026-11-20T10:15:00Z' : '2026-11-20T11:15:00+01:00' })),
  'gives-up': (body) => send(body),
  'wants-200': async (body) => {
    for (let i = 0; i < 3; i++) {
      const response = await send(body);
      if (response?.status === 200) return;
      await pause(60);
    }
  },
  'no-pause': (body) => retry(() => send(body), [0, 0, 0]),
  'long-pauses': async (body) => {
    for (const length of ['2s', '4s', '8s']) {
      if (!isFailed(await send(body))) return;
      await advance(length);
    }
  },
  'five-times': (body) => retry(() => send(body), [400, 500, 600, 700]),
  'repeats-400': async (body) => {
    for (let i = 0; i < 3; i++) {
      const response = await send({ ...body, totalGrossPrice: 'much' });
      if (response?.status === 202) return;
      await pause(60);
    }
  },
  'corrects-400': async (body) => {
    const response = await send({ ...body, totalGrossPrice: 'much' });
    if (response?.status === 400) await retry(() => send(body));
  },
  'skips-503': (body) => send(body),
};

for (const [i, who] of [astrid, johan, elin].entries()) await ways[behaviour](receipt(who, `loop-${i + 1}`));
