import { startCommand, tidy } from '../test/support/command.ts';
import { astrid, astridPath } from '../test/support/people.ts';
import { receiptOf } from '../test/support/receipt.ts';
import type { ProofRow } from './row.ts';
import { stacks } from './stacks.ts';
import type { Heard, Stack } from './stacks.ts';
import { sender } from './traffic.ts';
import type { Call } from './traffic.ts';

/** Says how a response ends for whoever reads it. */
type Ending = 'whole' | 'closed' | 'reset' | 'timeout' | 'invalid';

interface FaultCase {
  readonly fault: Readonly<Record<string, unknown>>;
  /** Says what a client must see: the status or none of it, and how it ended. */
  readonly hasStatus: boolean;
  readonly ending: Ending;
}

const ends = [
  ['close', 'closed'],
  ['reset', 'reset'],
  ['hang', 'timeout'],
] as const;

const faults: readonly FaultCase[] = [
  { fault: { status: 503 }, hasStatus: true, ending: 'whole' },
  { fault: { status: 429, headers: { 'Retry-After': '5' }, body: 'wait' }, hasStatus: true, ending: 'whole' },
  { fault: { delay: 30 }, hasStatus: true, ending: 'whole' },
  { fault: { dribble: { chunks: 4, interval: 10 } }, hasStatus: true, ending: 'whole' },
  ...ends.map(([end]) => ({ fault: { respond: 'full', end }, hasStatus: true, ending: 'whole' as const })),
  ...ends.map(([end, ending]) => ({ fault: { respond: 'none', end }, hasStatus: false, ending })),
  ...ends.map(([end, ending]) => ({ fault: { respond: 'headers', end }, hasStatus: true, ending })),
  ...ends.map(([end, ending]) => ({ fault: { respond: 'partial', end }, hasStatus: true, ending })),
  { fault: { respond: 'bad-chunk' }, hasStatus: true, ending: 'invalid' },
  { fault: { respond: 'garbage' }, hasStatus: false, ending: 'invalid' },
];

/** Lists what stacks may tell otherwise than it was, by fault or by ending: a client on them can't know better. */
const toldOtherwise: Readonly<Record<string, Readonly<Partial<Record<string, Ending>>>>> = {
  // Asked to close the connection, it tells of a reset in a body as of a connection that was closed.
  fetch: { 'headers reset': 'closed', 'partial reset': 'closed' },
  // Both are its ECONNRESET, and the words depend on which of two events comes first.
  'node:http': { 'headers reset': 'closed', 'partial reset': 'closed' },
  // It takes the end of the chunks for the end of the connection.
  urllib: { 'bad-chunk': 'closed' },
  // It tells of a reset, and of a broken chunk, as of a connection that was closed.
  HttpClient: { reset: 'closed', 'bad-chunk': 'closed' },
};

/** Lists the faults of which a stack may keep the status to itself: of 2,000 broken chunks, HttpClient did of 17. */
const statusesKept: Readonly<Record<string, readonly unknown[]>> = { HttpClient: ['bad-chunk'] };

/** Lists the words by which each stack reports an ending; the first that fits counts. */
const words: Readonly<Record<string, readonly (readonly [RegExp, Ending])[]>> = {
  curl: [
    [/\((?:52|18)\)/, 'closed'],
    [/\(56\) Recv failure/, 'reset'],
    [/\(28\)/, 'timeout'],
    [/\(56\) Illegal|\(1\) Received HTTP\/0\.9/, 'invalid'],
  ],
  fetch: [
    [/other side closed|LENGTH_MISMATCH|SOCKET closed/, 'closed'],
    [/ECONNRESET/, 'reset'],
    [/TimeoutError/, 'timeout'],
    [/HPE_/, 'invalid'],
  ],
  'node:http': [
    [/socket hang up|^aborted/, 'closed'],
    [/read ECONNRESET/, 'reset'],
    [/ABORT_ERR/, 'timeout'],
    [/HPE_/, 'invalid'],
  ],
  urllib: [
    [/RemoteDisconnected|IncompleteRead/, 'closed'],
    [/ConnectionResetError/, 'reset'],
    [/timed out/, 'timeout'],
    [/BadStatusLine/, 'invalid'],
  ],
  HttpClient: [
    [/received no bytes|IOException: closed/, 'closed'],
    [/Connection reset/, 'reset'],
    [/Timeout/, 'timeout'],
    [/ProtocolException|Illegal character in chunk size/, 'invalid'],
  ],
  'net/http': [
    [/malformed|invalid byte in chunk/, 'invalid'],
    [/EOF/, 'closed'],
    [/reset by peer/, 'reset'],
    [/deadline exceeded|Client\.Timeout/, 'timeout'],
  ],
};

interface Requested extends Call {
  /** Holds the status without a fault. */
  readonly status: number;
  readonly isWrite: boolean;
}

const requests: readonly Requested[] = [
  { method: 'GET', path: astridPath, status: 200, isWrite: false },
  { method: 'GET', path: '/api/v3/stores', status: 200, isWrite: false },
  { method: 'GET', path: '/api/v3/contacts/nobody', status: 404, isWrite: false },
  { method: 'POST', path: '/api/v3/contacts', body: { email: 'new@example.com' }, status: 201, isWrite: true },
  { method: 'POST', path: '/api/v3/receipts', body: receiptOf(astrid, 'r-1'), status: 202, isWrite: true },
  { method: 'PATCH', path: astridPath, body: { street: 'Storgatan 2' }, status: 200, isWrite: true },
];

interface Case extends FaultCase {
  readonly request: Requested;
  readonly phase: 'before' | 'after';
}

const cases: readonly Case[] = faults.flatMap((one) =>
  (['before', 'after'] as const).flatMap((phase) => requests.map((request) => ({ ...one, phase, request }))),
);

function endingOf({ name }: Stack, { error }: Heard): Ending | undefined {
  return error === '' ? 'whole' : words[name]?.find(([pattern]) => pattern.test(error))?.[1];
}

/** Returns the status that a stack must report, and the endings that it may: the one that it was comes first. */
function expectedOf({ name }: Stack, { fault, hasStatus, ending, request }: Case): string[] {
  const otherwise = toldOtherwise[name];
  const { respond, end } = fault;
  const told = otherwise?.[`${respond} ${end}`] ?? otherwise?.[String(respond)] ?? otherwise?.[ending] ?? ending;
  const seen = [ending, told].map((one) => `${hasStatus ? (fault['status'] ?? request.status) : 'no status'}, ${one}`);
  return statusesKept[name]?.includes(respond) === true ? [...seen, `no status, ${ending}`] : seen;
}

/** Java's client repeats a GET by itself when the connection ends before a response. */
const timesSent = ({ name }: Stack, { fault, request: { method }, ending }: Case): number =>
  name === 'HttpClient' && method === 'GET' && fault['respond'] === 'none' && ending !== 'timeout' ? 2 : 1;

const described = ({ fault, phase, request: { method, path } }: Case): string =>
  `${JSON.stringify({ phase, ...fault })} at ${method} ${path}`;

/** Names the tenant of a case. */
const tenantOf = ({ name }: Stack, n: number): string => `${name.replaceAll(/\W/g, '-')}-${n}`;

/** Shows that clients of several languages see of each fault what it says. */
export const faultFidelity: ProofRow = {
  name: 'fault-fidelity',
  what: `${faults.length} faults in both phases at ${requests.length} endpoints, seen by ${stacks.map(({ name }) => name).join(', ')}`,
  asked: 'status and ending as written down for each; sent once; committed in phase after alone',
  page: 'docs/proof.md',
  run: async ({ isWanted, print }) => {
    const { url, signal } = await startCommand(['--fixtures', 'default', '--log', 'silent']);
    const { send, close } = sender(url);
    let [seen, wrong] = [0, 0];
    const skipped: string[] = [];
    const note = (stack: Stack, one: Case, what: string): void => {
      wrong++;
      print(`  ${stack.name}: ${described(one)}: ${what}`);
    };
    const tryStack = async (stack: Stack): Promise<void> => {
      const chosen = cases.filter((one) => isWanted(`${stack.name}: ${described(one)}`));
      for (const [n, { fault, phase }] of chosen.entries()) {
        const rule = { fault: { phase, ...fault } };
        const { status, text } = await send({
          method: 'POST',
          path: `/__admin/faults?tenant=${tenantOf(stack, n)}`,
          body: rule,
        });
        if (status !== 201) throw new Error(text);
      }
      const heard = await stack.send(
        chosen.map(({ request: { method, path, body }, ending }, n) => ({
          method,
          url: `${url}/t/${tenantOf(stack, n)}${path}`,
          body: body === undefined ? '' : JSON.stringify(body),
          milliseconds: ending === 'timeout' ? 400 : 20_000,
        })),
      );
      for (const [n, one] of chosen.entries()) {
        const told = heard[n] ?? { status: undefined, length: 0, error: 'nothing' };
        const got = `${told.status ?? 'no status'}, ${endingOf(stack, told) ?? `"${told.error}"`}`;
        const expected = expectedOf(stack, one);
        seen++;
        if (!expected.includes(got)) note(stack, one, `${got} in place of ${expected[0]} (${told.error})`);
        const tenant = tenantOf(stack, n);
        const { count } = JSON.parse((await send({ method: 'GET', path: `/__admin/requests?tenant=${tenant}` })).text);
        if (count !== timesSent(stack, one)) note(stack, one, `sent ${count} times`);
        const { text } = await send({ method: 'GET', path: `/__admin/requests/${tenant}-1?tenant=${tenant}` });
        const isCommitted = JSON.parse(text).effects.length > 0;
        const mayCommit =
          one.phase === 'after' || ((one.fault['respond'] ?? 'full') === 'full' && !('status' in one.fault));
        if (isCommitted !== (one.request.isWrite && mayCommit))
          note(stack, one, isCommitted ? 'is committed' : 'is not committed');
      }
    };
    await Promise.all(
      stacks.map((stack) => {
        const missing = stack.missing?.();
        if (missing === undefined) return tryStack(stack);
        skipped.push(`${stack.name} (no ${missing})`);
        return undefined;
      }),
    );
    close();
    await signal('SIGTERM');
    tidy();
    if (wrong > 0) print(`  one of them again: npm run proof -- fault-fidelity --only '<stack>: <fault> at <request>'`);
    const left = skipped.length > 0 ? `; skipped: ${skipped.join(', ')}` : '';
    return { figure: `${wrong} of ${seen} otherwise${left}`, isReached: wrong === 0 };
  },
};
