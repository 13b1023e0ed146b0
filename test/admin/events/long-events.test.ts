import { expect, it } from 'vitest';
import { EventStream } from '../../../src/admin/events/event-stream.ts';

const nextRound = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
const text = (length: number) => ({ event: 'scenario.changed', id: 1, data: () => 'x'.repeat(length) });
const opened = () => new EventStream(() => {});

/** Counts in how many turns of the event loop three readers get an event, and returns what they got. */
async function readByThree(event: ReturnType<typeof text>) {
  const streams = [opened(), opened(), opened()];
  const got: { readonly round: number; readonly text: string }[] = [];
  let round = 0;
  const reading = streams.map(async (stream) => {
    const { value } = await stream.body.getReader().read();
    got.push({ round, text: Buffer.from(value ?? []).toString() });
  });
  await nextRound();
  for (const stream of streams) stream.send(event);
  for (; got.length < streams.length; round++) await nextRound();
  await Promise.all(reading);
  return { turns: new Set(got.map((one) => one.round)).size, texts: new Set(got.map((one) => one.text)) };
}

it('a long event is handed to one reader a turn, and a short one to all at once', async () => {
  const [long, short] = [await readByThree(text(1_000_000)), await readByThree(text(10))];
  expect([long.turns, short.turns]).toEqual([3, 1]);
  expect([...long.texts]).toEqual([`id: 1\nevent: scenario.changed\ndata: "${'x'.repeat(1_000_000)}"\n\n`]);
});

it('an event of some hundred KB leaves room for those behind it', async () => {
  const stream = opened();
  for (const length of [300_000, 300_000, 10]) stream.send(text(length));
  stream.end();
  const got = await new Response(stream.body).text();
  expect([got.length, got.includes('events.dropped')]).toEqual([600_130, false]);
});

it('an event of more than a MB is the same for all readers', async () => {
  const { turns, texts } = await readByThree(text(3_000_000));
  expect([turns, [...texts]]).toEqual([3, [`id: 1\nevent: scenario.changed\ndata: "${'x'.repeat(3_000_000)}"\n\n`]]);
});

it('a long event comes before those behind it, and is lost with its reader', async () => {
  const [kept, left] = [opened(), opened()];
  const [reader, leaver] = [kept.body.getReader(), left.body.getReader()];
  const [first, none] = [reader.read(), leaver.read()];
  await nextRound();
  for (const stream of [kept, left]) for (const length of [1_000_000, 10]) stream.send(text(length));
  await leaver.cancel();
  expect([(await first).value?.length, (await none).done]).toEqual([1_000_040, true]);
  expect((await reader.read()).value?.length).toBe(50);
});
