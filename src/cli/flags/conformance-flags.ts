/** What a person says of the suite: which clients, which cases, how long each may take. */
import type { Flags } from '../../config/config.ts';
import { parseDuration } from '../../core/lib/duration.ts';
import { InputError } from '../../core/lib/input-error.ts';
import { compilePathTemplate } from '../../core/exchange/path-template.ts';
import { didYouMean } from '../../core/lib/suggest.ts';
import { conformanceCases, plainCase } from '../../explore/conformance/cases.ts';
import type { ConformanceCase } from '../../explore/conformance/cases.ts';

export interface ConformanceFlags extends Flags {
  readonly client?: readonly string[] | undefined;
  readonly case?: readonly string[] | undefined;
  readonly report?: readonly string[] | undefined;
  readonly baseline?: string | undefined;
  readonly updateBaseline?: boolean | undefined;
  readonly timeout?: string | undefined;
  readonly showOutput?: boolean | undefined;
  readonly json?: boolean | undefined;
}

/** A client to be held to the suite. */
export interface ConformanceClient {
  readonly name: string;
  readonly command: readonly string[];
}

/** The one behind `--`, and those of `--client till='node till.js'`, which a shell runs. */
export function parseClients(command: readonly string[], named: readonly string[] = []): ConformanceClient[] {
  const others = named.map((text) => {
    const [, name, line] = /^([^=\s]+)=(.*\S.*)$/s.exec(text) ?? [];
    if (name !== undefined && line !== undefined) return { name, command: ['/bin/sh', '-c', line] };
    throw new InputError(`--client: expected a name and a command, as till='node till.js', got "${text}"`);
  });
  const clients = command.length > 0 ? [{ name: 'client', command }, ...others] : others;
  if (clients.length === 0) throw new InputError('Name what to run after --, as: -- node till.js; or with --client');
  const twice = clients.find(({ name }, i) => clients.findIndex((other) => other.name === name) !== i);
  if (twice) throw new InputError(`--client: "${twice.name}" is there twice`);
  return clients;
}

/** All cases, or those that are meant by these patterns; the plain one is always among them. */
export function selectCases(patterns: readonly string[] = []): readonly ConformanceCase[] {
  if (patterns.length === 0) return conformanceCases;
  const ids = conformanceCases.map(({ id }) => id);
  for (const pattern of patterns) {
    if (!ids.some(compilePathTemplate(pattern))) {
      throw new InputError(
        `--case: there is no case "${pattern}"${didYouMean(pattern, [...ids, ...likePattern(pattern, ids)])}; stars are allowed, as keyed/*`,
      );
    }
  }
  return conformanceCases.filter(
    (one) => one === plainCase || patterns.some((pattern) => compilePathTemplate(pattern)(one.id)),
  );
}

/** Returns a pattern with the class of each case in place of its own, so that `flip/*` is answered with `once/*`. */
function likePattern(pattern: string, ids: readonly string[]): string[] {
  const slash = pattern.indexOf('/');
  return slash < 0 ? [] : ids.map((id) => `${id.split('/', 1)[0]}${pattern.slice(slash)}`);
}

/** Holds the time that a run may take by default. */
const defaultTimeout = '60s';

export function parseRunTimeout({ timeout = defaultTimeout }: ConformanceFlags): number {
  const read = parseDuration(timeout);
  if (read?.months === 0 && read.milliseconds > 0) return read.milliseconds;
  throw new InputError(`--timeout: expected a length of time such as 30s or 2m, got "${timeout}"`);
}
