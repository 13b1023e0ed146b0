import { connect } from 'node:net';
import { startCommand, tidy } from '../test/support/command.ts';
import { diceFrom, pick } from '../test/support/mutations.ts';
import type { ProofRow } from './row.ts';
import { sender } from './traffic.ts';
import type { Dice } from './traffic.ts';

const [connections, atOnce, seed, patience] = [10_000, 20, 20261123, 20_000];

/** Lists faults that leave the connection to the requests behind them. */
const calm: readonly object[] = [
  { status: 503 },
  { status: 504, phase: 'after' },
  { status: 429, headers: { 'Retry-After': '1' }, body: 'wait' },
  { delay: { uniform: ['1ms', '20ms'] } },
  { dribble: { chunks: 3, interval: 2 }, phase: 'after' },
];

/** Lists faults that end it, with or without a response. */
const wild: readonly object[] = [
  ...(['close', 'reset'] as const).flatMap((end) =>
    (['none', 'headers', 'partial', 'full'] as const).map((respond) => ({ respond, end, phase: 'after' })),
  ),
  { respond: 'none', end: 'reset' },
  { respond: 'bad-chunk' },
  { respond: 'garbage' },
];

const rulesOf = (faults: readonly object[]): object[] => faults.map((fault) => ({ fault, probability: 0.04 }));

const tenants = { calm: rulesOf(calm), wild: [...rulesOf(calm), ...rulesOf(wild)] };

interface Sent {
  /** Stands in the path or the body of the request, and in its response. */
  readonly mark: string;
  readonly text: string;
}

/** Returns a request that nobody else sends. */
function requestOf(tenant: string, mark: string, { isPost, isLast }: { isPost: boolean; isLast: boolean }): Sent {
  const body = JSON.stringify({ email: `${mark}@example.com` });
  const [method, path] = isPost ? ['POST', ''] : ['GET', `/id?email=${mark}@example.com`];
  const headers = [
    'host: localhost',
    'user-agent: proof',
    ...(isPost ? ['content-type: application/json', `content-length: ${body.length}`] : []),
    ...(isLast ? ['connection: close'] : []),
  ];
  const head = `${method} /t/${tenant}/api/v3/contacts${path} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`;
  return { mark, text: isPost ? head + body : head };
}

function requestsOf(tenant: string, connection: number, dice: Dice): Sent[] {
  const count = 2 + Math.floor(dice() * 7);
  return Array.from({ length: count }, (_, n) =>
    requestOf(tenant, `mark-${connection}-${n}-`, { isPost: dice() < 0.5, isLast: n === count - 1 }),
  );
}

/** Sends all at once, cut where the dice say, and returns what comes back until the connection ends; undefined if it never does. */
function sendAll(port: number, text: string, dice: Dice): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let heard = '';
    const givenUp = setTimeout(() => {
      resolve(undefined);
      socket.destroy();
    }, patience);
    socket.on('data', (data) => (heard += data.toString('latin1')));
    socket.on('error', () => {});
    socket.on('close', () => {
      clearTimeout(givenUp);
      resolve(heard);
    });
    const cut = Math.floor(dice() * text.length);
    socket.write(text.slice(0, cut));
    setImmediate(() => socket.write(text.slice(cut)));
  });
}

const responsesIn = (heard: string): string[] => heard.split(/(?=HTTP\/1\.1 \d{3} )/).filter((one) => one !== '');
const statusLine = /^HTTP\/1\.1 \d{3} /;
const idIn = (response: string): string | undefined => /\r\nx-request-id: (\S+)\r\n/i.exec(response)?.[1];

/** Returns what is wrong with the responses to some requests of one connection. */
function* mistakesIn(requests: readonly Sent[], responses: readonly string[], isCalm: boolean): Generator<string> {
  const whole = responses.filter((one) => statusLine.test(one));
  if (whole.length > requests.length) yield `${whole.length} responses to ${requests.length} requests`;
  if (isCalm && whole.length < requests.length) yield `${whole.length} responses to ${requests.length} requests`;
  for (const [n, response] of whole.entries())
    for (const [mark] of response.matchAll(/mark-\d+-\d+-/g))
      if (mark !== requests[n]?.mark) yield `response ${n} to ${requests[n]?.mark} is about ${mark}`;
}

/** Shows that requests sent at once on a connection get their own responses, whatever faults are among them. */
export const pipelinedRequests: ProofRow = {
  name: 'pipelined-requests',
  what: `${connections} connections with two to eight requests at once, a fifth to half of them with faults, also such as end the connection (seed ${seed})`,
  asked: 'each response the own one, in order; none missing where no fault ends the connection',
  page: 'docs/proof.md',
  isQuick: true,
  run: async ({ print, share }) => {
    const wanted = share(connections);
    const started = await startCommand(['--fixtures', 'default', '--log', 'silent']);
    const { send, close } = sender(started.url);
    for (const [tenant, rules] of Object.entries(tenants))
      await send({ method: 'PUT', path: `/__admin/scenario?tenant=${tenant}`, body: { rules } });
    const port = Number(new URL(started.url).port);
    const marks = new Map<string, string>();
    let [opened, sent, got, failures] = [0, 0, 0, 0];
    const note = (what: string): void => {
      if (failures++ < 5) print(`  ${what}`);
    };
    const work = async (): Promise<void> => {
      while (opened < wanted) {
        const connection = opened++;
        const dice = diceFrom(seed + connection);
        const tenant = pick(['calm', 'wild'], dice);
        const requests = requestsOf(tenant, connection, dice);
        const heard = await sendAll(port, requests.map(({ text }) => text).join(''), dice);
        const responses = responsesIn(heard ?? '');
        sent += requests.length;
        got += responses.length;
        if (heard === undefined) note(`connection ${connection} never ended`);
        for (const mistake of mistakesIn(requests, responses, tenant === 'calm')) note(`${tenant}: ${mistake}`);
        for (const [n, response] of responses.entries()) {
          const id = statusLine.test(response) ? idIn(response) : undefined;
          if (id !== undefined) marks.set(id, requests[n]?.mark ?? '');
        }
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    // A status alone has no mark: the journal knows to which request it belongs.
    let known = 0;
    for (const tenant of Object.keys(tenants)) {
      const { found, stray } = await compareWithJournal(tenant, marks, send);
      known += found;
      for (const mistake of stray) note(mistake);
    }
    if (known < marks.size) note(`${marks.size - known} responses are of no request in the journal`);
    close();
    await started.signal('SIGTERM');
    tidy();
    return {
      figure: `${failures} failures in ${got} responses to ${sent} requests, ${known} of them held against the journal`,
      isReached: failures === 0 && marks.size > 0,
    };
  },
};

/** Holds the ids in responses against the requests of a tenant's journal. */
async function compareWithJournal(
  tenant: string,
  marks: ReadonlyMap<string, string>,
  send: ReturnType<typeof sender>['send'],
): Promise<{ readonly found: number; readonly stray: readonly string[] }> {
  const stray: string[] = [];
  let found = 0;
  for (let offset = 0; ; offset += 1000) {
    const path = `/__admin/requests/har?tenant=${tenant}&limit=1000&offset=${offset}`;
    const { entries } = JSON.parse((await send({ method: 'GET', path })).text).log;
    for (const { _id: id, request } of entries) {
      const mark = marks.get(id);
      if (mark === undefined) continue;
      found++;
      if (!JSON.stringify(request).includes(mark)) stray.push(`the response ${id} to ${mark} is of another request`);
    }
    if (entries.length < 1000) return { found, stray };
  }
}
