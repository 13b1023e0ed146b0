/** Shows what clients see of faults: each row of the table, called with each of them. */
import { spawn } from 'node:child_process';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';

/** Lists faults, and how long a client waits: of one that hangs not long. */
export const rows = [
  { fault: { status: 503 } },
  { fault: { respond: 'full', end: 'close' } },
  { fault: { respond: 'full', end: 'reset' } },
  { fault: { respond: 'full', end: 'hang' } },
  { fault: { dribble: { chunks: 4, interval: 20 } } },
  { fault: { respond: 'none', end: 'close' } },
  { fault: { respond: 'none', end: 'reset' } },
  { fault: { respond: 'none', end: 'hang' }, hangs: true },
  { fault: { respond: 'headers', end: 'close' } },
  { fault: { respond: 'headers', end: 'reset' } },
  { fault: { respond: 'headers', end: 'hang' }, hangs: true },
  { fault: { respond: 'partial', end: 'close' } },
  { fault: { respond: 'partial', end: 'reset' } },
  { fault: { respond: 'partial', end: 'hang' }, hangs: true },
  { fault: { respond: 'bad-chunk', end: 'close' } },
  { fault: { respond: 'garbage', end: 'close' } },
];

const shortest = 800;
const longest = 20_000;
const body = JSON.stringify({
  firstName: 'Ella',
  lastName: 'Ek',
  email: 'ella.ek@example.com',
  mobilePhone: '+46701740699',
});
const headers = { 'content-type': 'application/json', 'user-agent': 'client' };

/** Runs a program to its end. */
async function run(program, args, input = '') {
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  child.on('error', () => {});
  child.stdin.on('error', () => {}).end(input);
  const [out, error] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { out, error: error.trim() };
}

async function inTurn(calls, call) {
  const seen = [];
  for (const one of calls) seen.push(await call(one));
  return seen;
}

async function callByCurl({ url, milliseconds }) {
  const about = ['-H', 'content-type: application/json', '-d', body, '--max-time', String(milliseconds / 1000)];
  const { out, error } = await run('curl', ['-sS', '-o', '/dev/null', '-w', '%{http_code}', ...about, url]);
  return { status: out === '000' ? undefined : Number(out), error: error === '' ? undefined : error };
}

async function callByFetch({ url, milliseconds }) {
  let status;
  try {
    const answer = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(milliseconds) });
    ({ status } = answer);
    await answer.text();
    return { status };
  } catch (error) {
    const cause = error.cause ? `, cause ${error.cause.code}: ${error.cause.message}` : '';
    return { status, error: `${error.name}: ${error.message}${cause}` };
  }
}

function callByHttp({ url, milliseconds }) {
  let status;
  return new Promise((resolve) => {
    const fail = ({ name, message, code }) =>
      resolve({ status, error: `${name}: ${message}${code ? ` (${code})` : ''}` });
    const signal = AbortSignal.timeout(milliseconds);
    const call = request(url, { method: 'POST', headers, signal, agent: false }, (answer) => {
      status = answer.statusCode;
      answer
        .on('error', fail)
        .on('end', () => resolve({ status }))
        .resume();
    });
    call.on('error', fail).end(body);
  });
}

async function callByUrllib(calls) {
  const given = calls.map(({ url, milliseconds }) => ({ url, body, seconds: milliseconds / 1000 }));
  const { out, error } = await run('python3', ['scripts/clients/urllib_client.py'], JSON.stringify(given));
  if (error) throw new Error(error);
  return JSON.parse(out);
}

const callByJava = (client) => async (calls) => {
  const given = calls.flatMap(({ url, milliseconds }) => [url, String(milliseconds)]);
  const { out } = await run('java', ['scripts/clients/JavaClients.java', client, body, ...given]);
  return out
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [status, error] = line.split('\t');
      return { status: status === '' ? undefined : Number(status), error };
    });
};

const versionOf = async (program, args) => {
  const { out, error } = await run(program, args);
  return /(?:curl|Python|openjdk) (?:version ")?[\d.]+/.exec(out + error)?.[0].replace(' version "', ' ');
};

/** Lists programs that call, with what there is of them here; quick ones take part in every check. */
export const clients = [
  {
    name: 'curl',
    isQuick: true,
    version: () => versionOf('curl', ['--version']),
    callAll: (calls) => inTurn(calls, callByCurl),
  },
  {
    name: 'Node’s fetch',
    isQuick: true,
    version: async () => `Node ${process.versions.node}`,
    callAll: (calls) => inTurn(calls, callByFetch),
  },
  {
    name: 'node:http',
    isQuick: true,
    version: async () => `Node ${process.versions.node}`,
    callAll: (calls) => inTurn(calls, callByHttp),
  },
  {
    name: 'Python’s urllib',
    isQuick: true,
    version: () => versionOf('python3', ['--version']),
    callAll: callByUrllib,
  },
  {
    name: 'Java’s HttpURLConnection',
    isQuick: false,
    version: () => versionOf('java', ['-version']),
    callAll: callByJava('HttpURLConnection'),
  },
  {
    name: 'Java’s HttpClient',
    isQuick: false,
    version: () => versionOf('java', ['-version']),
    callAll: callByJava('HttpClient'),
  },
];

/** Returns what a client says of each row, and how often it asked; every row by a connection of its own. */
export async function see(client, sims) {
  const tenant = client.name.replaceAll(/\W/g, '');
  for (const sim of sims) sim.tenants.getOrCreate(tenant);
  const calls = rows.map(({ hangs }, i) => ({
    url: `${sims[i].url}/t/${tenant}/api/v3/contacts`,
    milliseconds: hangs ? shortest : longest,
  }));
  const seen = await client.callAll(calls);
  return seen.map((one, i) => Object.assign(one, { asked: sims[i].tenants.get(tenant).journal.size }));
}
