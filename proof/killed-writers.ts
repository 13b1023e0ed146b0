import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { seededRandom } from '../src/core/lib/random.ts';
import { startCommand } from '../test/support/command.ts';
import { fixtureBeside, newFile } from '../test/support/saved.ts';
import type { ProofRow } from './row.ts';

const [seed, kills, killsAFile] = [20261123, 1000, 10];
/** Applies with `--short`: each kill takes a second and more. */
const fewKills = 10;
const headers = { 'content-type': 'application/json', 'user-agent': 'proof' };
const writers = ['', '/t/north', '/t/south', '/t/east'];

/**
 * Says what a life of the process is about: small writes, large ones that make it write snapshots, a disk that is full,
 * states that tenants are put back to, or tenants of a large fixture.
 */
type Kind = 'small' | 'large' | 'full' | 'back' | 'named';

const kinds: readonly Kind[] = ['small', 'large', 'back', 'full', 'large', 'named', 'small', 'back'];

/** Returns the command where no file can grow over so many KB: what would is cut short, and the next write fails. */
const limitedTo = (size: number): readonly [string, ...string[]] => [
  'bash',
  '-c',
  `trap '' XFSZ; ulimit -f ${size}; exec "$@"`,
  'sh',
  process.execPath,
  resolve('dist/cli.cjs'),
];

const post = (url: string, path: string, body: unknown): Promise<number> =>
  fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    .then((response) => response.status)
    .catch(() => 0);

interface Written {
  readonly tenant: string;
  readonly email: string;
}

const firstAndLast = <T>(list: readonly T[]): T[] => [...list.slice(0, 1), ...list.slice(-1)];

const crowdOf = (name: string): { readonly email: string }[] =>
  Array.from({ length: 2100 }, (_, i) => ({ email: `${name}-${i}@example.com` }));

interface Writing {
  readonly tenant: string;
  readonly life: string;
  readonly kind: Kind;
}

/** Puts a tenant back to more contacts than are saved at once. */
async function putBack(url: string, { tenant, life }: Writing, done: (one: Written) => void): Promise<void> {
  const of = tenant === '' ? '' : `?tenant=${tenant.slice(3)}`;
  const crowd = crowdOf(`${life}-back`);
  await post(url, `${tenant}/api/v3/contacts/bulk`, crowd);
  await post(url, `/__admin/snapshots/full${of}`, {});
  await post(url, `/__admin/reset${of}`, {});
  if ((await post(url, `/__admin/snapshots/full/restore${of}`, {})) !== 200) return;
  for (const one of firstAndLast(crowd)) done({ tenant, email: one.email });
}

/** Creates a tenant of a large fixture. */
async function createNamed(url: string, { life }: Writing, done: (one: Written) => void): Promise<void> {
  const crowd = crowdOf(life);
  const body = { name: life, fixtures: fixtureBeside(newFile(), crowd) };
  if ((await post(url, '/__admin/tenants', body)) !== 201) return;
  for (const one of firstAndLast(crowd)) done({ tenant: `/t/${life}`, email: one.email });
}

/** Writes to a tenant until the process is gone or refuses; tells of each contact that was responded to. */
async function write(url: string, writing: Writing, done: (one: Written) => void) {
  const { tenant, life, kind } = writing;
  if (kind === 'back') await putBack(url, writing, done);
  if (kind === 'named') await createNamed(url, writing, done);
  for (let i = 0; ; i++) {
    const email = `${life}-${i}@example.com`;
    if (kind === 'large' && i % 5 === 0) {
      const street = 'x'.repeat(400);
      const crowd = Array.from({ length: 900 }, (_, j) => ({ email: `${life}-${i}-${j}@example.com`, street }));
      if ((await post(url, `${tenant}/api/v3/contacts/bulk`, crowd)) !== 202) return;
      // It is done as a whole, then or after the next start.
      for (const one of firstAndLast(crowd)) done({ tenant, email: one.email });
    }
    if ((await post(url, `${tenant}/api/v3/contacts`, { email })) !== 201) return;
    done({ tenant, email });
  }
}

async function isThere(url: string, { tenant, email }: Written): Promise<boolean> {
  const response = await fetch(`${url}${tenant}/api/v3/contacts/id?email=${email}`, { headers });
  return response.status === 200;
}

/** Shows that a process that is killed while it writes loses nothing that it responded to. */
export const killedWriters: ProofRow = {
  name: 'killed-writers',
  what: `${kills} processes killed with \`kill -9\` at a random moment while they write for four tenants, also snapshots, states that they are put back to and tenants of large fixtures, and on a full disk (seed ${seed})`,
  asked: 'none refused at the next start, and no contact lost whose creation was responded to, or queued',
  page: 'docs/saved-state.md',
  isQuick: true,
  run: async ({ print, share }) => {
    const wanted = share(kills) < kills ? fewKills : kills;
    let [killed, checked, lost, refused, torn] = [0, 0, 0, 0, 0];
    for (let kill = 0, file = ''; killed < wanted && kill < 2 * wanted; kill++) {
      if (kill % killsAFile === 0) file = newFile();
      const draw = (label: string, below: number): number => Math.floor(seededRandom(seed, `${kill} ${label}`) * below);
      const kind = kinds[kill % kinds.length] ?? 'small';
      const limit = limitedTo(8 + draw('size', 64));
      const isFull = kind === 'full' && kill % killsAFile < 5;
      const first = await startCommand(['--data', file], isFull ? { program: limit } : {}).catch(() => undefined);
      // A file that is too large for a full disk can't be opened there.
      if (!first) continue;
      const written: Written[] = [];
      const after = 1 + draw('after', kind === 'large' ? 60 : 120);
      const kill9 = (): Promise<unknown> => first.signal('SIGKILL');
      // Large states are saved over many turns, before anything is responded to.
      let ended = kind === 'back' || kind === 'named' ? sleep(draw('late', 1500)).then(kill9) : undefined;
      const done = (one: Written): void => {
        written.push(one);
        // Not right behind a response alone: at any moment of those that are written then.
        if (written.length >= after) ended ??= sleep(draw('wait', 25)).then(kill9);
      };
      await Promise.all(writers.map((tenant, i) => write(first.url, { tenant, life: `k${kill}w${i}`, kind }, done)));
      await (ended ?? kill9());
      killed++;
      const second = await startCommand(['--data', file]).catch((error: unknown) => {
        refused++;
        print(`  ${kill}: ${kind}: ${error instanceof Error ? error.message : error}`);
      });
      if (!second) {
        file = newFile();
        continue;
      }
      for (const tenant of writers)
        await post(second.url, `/__admin/queue${tenant === '' ? '' : `?tenant=${tenant.slice(3)}`}`, { drain: true });
      const found = await Promise.all(written.map((one) => isThere(second.url, one)));
      checked += written.length;
      const missing = found.filter((one) => !one).length;
      if (missing > 0) print(`  ${kill}: ${kind}: ${missing} of ${written.length} are missing`);
      lost += missing;
      if (second.written.stderr.includes('left out')) torn++;
      await second.signal(draw('end', 2) === 0 ? 'SIGTERM' : 'SIGKILL');
    }
    const figure = `${killed} killed, ${refused} refused, ${lost} of ${checked} contacts lost, ${torn} torn commits left out`;
    return { figure, isReached: killed === wanted && refused === 0 && lost === 0 };
  },
};
