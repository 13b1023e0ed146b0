/** Lets tests play client programs in process and over HTTP, and reads what the verdict says of them. */
import { Agent, request } from 'node:http';
import { onTestFinished } from 'vitest';
import { createSim } from '../../src/simulator/create-sim.ts';
import type { Sim } from '../../src/simulator/sim.ts';
import type { SimOptions } from '../../src/simulator/options.ts';
import type { PolicyInput } from '../../src/scenario/policy-schema.ts';
import type { RuleInput } from '../../src/faults/rule-schema.ts';
import type { Verdict } from '../../src/verdict/verdict.ts';
import { noteLateness } from './in-time.ts';

/** Lists the two ways to run a program: it must be judged the same by both. */
export const ways = ['in process', 'over HTTP'] as const;
export type Way = (typeof ways)[number];

export interface Reply {
  readonly status: number;
  // What is in it is up to the test.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
}

/** Sends one request; resolves to nothing when no whole response comes back. */
export type Send = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
) => Promise<Reply | undefined>;

/** Describes a program that runs: it sends, and can be killed. */
export type Program = Send & {
  /** Ends its connections, as the end of its process does. */
  readonly kill: () => Promise<void>;
};

interface CallerOptions {
  /** Sets the user agent (default: `till/1.0`). */
  readonly agent?: string;
  /** Lists headers that are sent with each request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Limits the connections that its pool may open; 0 opens one for each request (default: 1). */
  readonly connections?: number;
  /** Limits how long it waits for a response, in ms of real time. */
  readonly timeout?: number;
}

export interface Stage {
  readonly sim: Sim;
  /** Sends as the only program there is. */
  readonly send: Send;
  /** Starts another program, or the same one again: with connections of its own. */
  readonly start: (options?: CallerOptions) => Program;
  /** Lets time pass on the tenant's clock, as a client does that waits. */
  readonly wait: (length: string) => Promise<unknown>;
  readonly judge: () => Promise<Judged>;
}

export interface Judged {
  readonly verdict: Verdict['verdict'];
  readonly reason: string;
  /** Names the rules by which something failed, each once. */
  readonly failedBy: readonly string[];
  /** Holds `R1 fail` for each finding. */
  readonly findings: readonly string[];
  /** Holds all that is said to a person, in one text. */
  readonly text: string;
  readonly whole: Verdict;
}

/** Opens a simulator on the default fixture whose clock stands still, and a program that calls it. */
export async function openStage(way: Way, { rules = [], policy, ...options }: StageOptions = {}): Promise<Stage> {
  const sim = await createSim({
    now: '2026-03-01T12:00:00Z',
    scenario: { rules: [...rules], ...(policy && { policy: policy as PolicyInput }) },
    ...options,
  });
  onTestFinished(() => sim.close());
  const base = way === 'over HTTP' ? (await sim.listen()).url : undefined;
  const start: Stage['start'] = (caller = {}) => (base === undefined ? inProcess(sim, caller) : overHttp(base, caller));
  return {
    sim,
    send: start(),
    start,
    wait: (length) => sim.clock.advance(length),
    judge: async () => judgedBy(noteLateness(await sim.verdict())),
  };
}

interface StageOptions extends Omit<SimOptions, 'scenario' | 'policy'> {
  readonly rules?: readonly RuleInput[];
  /** Takes keys too that a policy does not have yet. */
  readonly policy?: object;
}

/** Returns a rule by which these faults hit requests to an endpoint in turn. */
export const on = (endpoint: string, ...fault: readonly unknown[]): RuleInput =>
  ({ match: { endpoint }, fault }) as RuleInput;

/** The work is done, and the response is lost. */
export const lost = { phase: 'after', respond: 'none', end: 'reset' } as const;
/** The service was never reached. */
export const unreached = { respond: 'none', end: 'reset' } as const;

function judgedBy(whole: Verdict): Judged {
  const found = whole.operations.flatMap(({ findings }) => findings);
  return {
    verdict: whole.verdict,
    reason: whole.reason,
    failedBy: [...new Set(found.filter(({ level }) => level === 'fail').map(({ rule }) => rule))],
    findings: found.map(({ rule, level }) => `${rule} ${level}`),
    text: [whole.reason, ...found.flatMap(({ rule, message, advice }) => [`${rule}: ${message}`, advice])].join('\n'),
    whole,
  };
}

const headersOf = (body: unknown, { agent = 'till/1.0', headers }: CallerOptions): Record<string, string> => ({
  'user-agent': agent,
  ...(body !== undefined && { 'content-type': 'application/json' }),
  ...headers,
});

function inProcess(sim: Sim, caller: CallerOptions): Program {
  const send: Send = async (method, path, body, headers) => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const signal = caller.timeout === undefined ? {} : { signal: AbortSignal.timeout(caller.timeout) };
    const init = { method, ...sent, ...signal, headers: { ...headersOf(body, caller), ...headers } };
    try {
      const response = await sim.fetch(path, init);
      return { status: response.status, body: parsed(await response.text()) };
    } catch {
      return undefined;
    }
  };
  return Object.assign(send, { kill: async () => {} });
}

const parsed = (text: string): unknown => (text === '' ? undefined : JSON.parse(text));

function overHttp(base: string, caller: CallerOptions): Program {
  const { connections = 1 } = caller;
  const agent = new Agent(connections === 0 ? { keepAlive: false } : { keepAlive: true, maxSockets: connections });
  onTestFinished(() => agent.destroy());
  const send: Send = (method, path, body, headers) =>
    new Promise((resolve) => {
      const signal = caller.timeout === undefined ? {} : { signal: AbortSignal.timeout(caller.timeout) };
      const options = { method, agent, ...signal, headers: { ...headersOf(body, caller), ...headers } };
      const sent = request(`${base}${path}`, options, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', () => resolve(undefined));
        response.on('end', () => resolve(replyOf(response.statusCode ?? 0, Buffer.concat(chunks))));
      });
      sent.on('error', () => resolve(undefined));
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
  const kill = async (): Promise<void> => {
    agent.destroy();
    // The simulator is to see the end before anything else comes; where the process was held, a timer comes first.
    await new Promise((resolve) => setTimeout(resolve, 30));
    await new Promise((resolve) => setImmediate(resolve));
  };
  return Object.assign(send, { kill });
}

function replyOf(status: number, text: Buffer): Reply | undefined {
  try {
    return { status, body: parsed(text.toString()) };
  } catch {
    return undefined;
  }
}
