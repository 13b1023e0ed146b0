/** Defines HTTP clients of several languages, each a program of its own or Node itself. */
import { spawn, spawnSync } from 'node:child_process';
import { Agent, request } from 'node:http';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { folderWith } from '../test/support/folders.ts';

export interface StackCall {
  readonly method: string;
  readonly url: string;
  /** Holds JSON; empty for none. */
  readonly body: string;
  /** Limits how long the client waits. */
  readonly milliseconds: number;
}

/** Holds what a client got of a response, and how it says that it did not get all. */
export interface Heard {
  readonly status: number | undefined;
  readonly length: number;
  readonly error: string;
}

/** Describes one way to speak HTTP. */
export interface Stack {
  readonly name: string;
  /** Returns the program that it needs first, if that is missing. */
  readonly missing?: () => string | undefined;
  /** Sends calls one after another, each by a connection of its own. */
  readonly send: (calls: readonly StackCall[]) => Promise<readonly Heard[]>;
}

const headers = { 'content-type': 'application/json', 'user-agent': 'proof' };

async function inTurn(calls: readonly StackCall[], send: (call: StackCall) => Promise<Heard>): Promise<Heard[]> {
  const heard: Heard[] = [];
  for (const call of calls) heard.push(await send(call));
  return heard;
}

async function run(program: string, args: readonly string[], input = ''): Promise<{ out: string; error: string }> {
  const child = spawn(program, args, { stdio: 'pipe' });
  // A program that does not read has ended before it is written to.
  child.stdin.on('error', () => {}).end(input);
  const [out, error] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { out, error: error.trim() };
}

async function byCurl({ method, url, body, milliseconds }: StackCall): Promise<Heard> {
  const limit = String(milliseconds / 1000);
  const data = body === '' ? [] : ['-H', 'content-type: application/json', '-d', body];
  const args = [
    '-sS',
    '-o',
    '/dev/null',
    '-w',
    '%{http_code} %{size_download}',
    '-X',
    method,
    '-m',
    limit,
    ...data,
    url,
  ];
  const { out, error } = await run('curl', args);
  const [status = 0, length = 0] = out.split(' ').map(Number);
  return { status: status === 0 ? undefined : status, length, error };
}

async function byFetch({ method, url, body, milliseconds }: StackCall): Promise<Heard> {
  let [status, length]: [number | undefined, number] = [undefined, 0];
  try {
    const sent = { method, headers: { ...headers, connection: 'close' }, ...(body !== '' && { body }) };
    const answer = await fetch(url, { ...sent, signal: AbortSignal.timeout(milliseconds) });
    ({ status } = answer);
    ({ length } = await answer.text());
    return { status, length, error: '' };
  } catch (error) {
    const { cause } = error as { cause?: { code?: string; message: string } };
    return { status, length, error: cause ? `${String(error)}: ${cause.code} ${cause.message}` : String(error) };
  }
}

function byHttp({ method, url, body, milliseconds }: StackCall): Promise<Heard> {
  let [status, length]: [number | undefined, number] = [undefined, 0];
  return new Promise((done) => {
    const fail = (error: NodeJS.ErrnoException): void =>
      done({ status, length, error: `${error.message} (${error.code})` });
    const options = { method, headers, agent: new Agent(), signal: AbortSignal.timeout(milliseconds) };
    const sent = request(url, options, (answer) => {
      status = answer.statusCode;
      answer.on('data', (part: Buffer) => (length += part.length));
      answer.on('error', fail);
      answer.on('end', () => done({ status, length, error: '' }));
    });
    sent.on('error', fail);
    sent.end(body);
  });
}

/** Sends calls by a program that reads a line for each and prints one for each. */
const byProgram = (start: () => readonly [string, ...string[]]) => async (calls: readonly StackCall[]) => {
  const [program, ...args] = start();
  const lines = calls.map(({ method, url, milliseconds, body }) => [method, url, milliseconds, body].join('\t'));
  const { out, error } = await run(program, args, `${lines.join('\n')}\n`);
  const heard = out.trimEnd().split('\n');
  if (heard.length !== calls.length) throw new Error(`${program} printed ${heard.length} lines: ${error}`);
  return heard.map((line): Heard => {
    const [status = '', length = '', said = ''] = line.split('\t');
    return { status: status === '' ? undefined : Number(status), length: Number(length), error: said };
  });
};

const needs = (program: string, flag: string) => (): string | undefined =>
  spawnSync(program, [flag]).status === 0 ? undefined : program;

function compiledGo(): readonly [string, ...string[]] {
  const program = join(folderWith(), 'client');
  const { status, stderr } = spawnSync('go', ['build', '-o', program, resolve('proof/stacks/client.go')], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  return [program];
}

export const stacks: readonly Stack[] = [
  { name: 'curl', missing: needs('curl', '--version'), send: (calls) => inTurn(calls, byCurl) },
  { name: 'fetch', send: (calls) => inTurn(calls, byFetch) },
  { name: 'node:http', send: (calls) => inTurn(calls, byHttp) },
  {
    name: 'urllib',
    missing: needs('python3', '--version'),
    send: byProgram(() => ['python3', resolve('proof/stacks/client.py')]),
  },
  {
    name: 'HttpClient',
    missing: needs('java', '-version'),
    send: byProgram(() => ['java', resolve('proof/stacks/Client.java')]),
  },
  { name: 'net/http', missing: needs('go', 'version'), send: byProgram(compiledGo) },
];
