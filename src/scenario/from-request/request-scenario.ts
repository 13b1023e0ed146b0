/** Writes a scenario file from a request of the journal: its fault as a rule, and the request as steps. */
import { stringify } from 'yaml';
import type { Endpoint } from '../../core/exchange/endpoint.ts';
import type { Exchange } from '../../core/exchange/exchange.ts';
import type { Fault } from '../../core/exchange/fault.ts';
import { jsonInSteps } from '../../core/exchange/json-pieces.ts';
import { parseJsonBody } from '../../core/exchange/operation-key.ts';
import { toTimestamp } from '../../core/time/clock.ts';
import type { Steps } from '../../core/time/steps.ts';
import { isLongText } from '../../core/validation/extent.ts';
import { parseInTurns } from '../../core/validation/parse-in-turns.ts';
import type { FaultSpec, RuleSpec } from '../../faults/rule-schema.ts';
import { faultRuleKind } from '../../faults/fault-rules.ts';
import { faultKindOf } from '../../faults/fault-kinds.ts';
import { maxScenarioBytes } from '../../storage/files/source-text.ts';
import { ruleInput } from '../validate.ts';
import { faultSpecOf } from './fault-spec.ts';
import { fileTooLargeError, JsonText, jsonTextTag, withJsonTexts } from './json-text.ts';

export type Fields = Readonly<Record<string, unknown>>;

interface Source {
  readonly exchange: Exchange;
  readonly endpoint: Endpoint | undefined;
  /** Holds the fault to inject (default: the one that hit the request, if any). */
  readonly fault: FaultSpec | undefined;
  /** True when the clock of the tenant stands still. */
  readonly isFrozen: boolean;
}

export interface RequestScenario {
  /** Proposes a name for the file. */
  readonly file: string;
  readonly text: string;
  /** Holds the rule as `POST /__admin/faults` takes it; undefined without a fault. */
  readonly rule: Fields | undefined;
}

/** Limits how long `run` waits for a response that never comes. */
const patience = '2s';

/** Lists the retry classes whose requests may be sent again as they are. */
export const repeatable: ReadonlySet<string | undefined> = new Set(['safe', 'idempotent', 'keyed']);

/** Returns the rule that brings about a fault at the next request to the same endpoint. */
function ruleOf({ exchange, endpoint, fault }: Source): Fields | undefined {
  const { method, path } = exchange;
  const given = fault ?? (exchange.fault && faultSpecOf(exchange.fault));
  if (given === undefined) return undefined;
  const match = endpoint ? { endpoint: endpoint.id } : { method, path };
  return { match, fault: given, times: 1 };
}

/** Returns the fault of a rule. */
function faultOf(rule: Fields): Fault | undefined {
  // What a rule was made of, it can be made of again.
  const spec = ruleInput.parse(rule) as RuleSpec;
  return faultRuleKind.compile(spec, 'rule').faults[0];
}

/** Says what a caller of the faulted request gets; undefined for what it would get without a fault. */
export function expectedOf(fault: Fault | undefined): Fields | undefined {
  if (!fault) return undefined;
  const { isComplete, source } = faultKindOf(fault.respond);
  if (!isComplete || fault.end !== 'normal') {
    return { networkError: 'any', ...(fault.end === 'hang' && { within: patience }) };
  }
  return source === 'own' || fault.status !== undefined ? { status: fault.status } : undefined;
}

/** Keeps `\${name}` from being read as the name of a captured value. */
const escapeText = (text: string): string => text.replaceAll('${', () => '$${');

function escaped(value: unknown): unknown {
  if (typeof value === 'string') return escapeText(value);
  if (Array.isArray(value)) return value.map(escaped);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, escaped(inner)]));
}

/** Returns the headers that are part of what was asked for; all others belong to the client. */
function ownHeaders({ request }: Exchange, endpoint: Endpoint | undefined): Fields | undefined {
  const names = [...Object.keys(endpoint?.headers ?? {}), 'content-type'];
  const sent = Object.entries(request.headers).filter(
    ([name, value]) => names.includes(name) && value !== 'application/json',
  );
  return sent.length > 0 ? Object.fromEntries(sent) : undefined;
}

/** Returns a request of the journal as a step sends it. */
export function* requestOf({ exchange, endpoint }: Pick<Source, 'exchange' | 'endpoint'>): Steps<Fields> {
  const { method, path, query, request } = exchange;
  const headers = ownHeaders(exchange, endpoint);
  const body = request.body === undefined || request.body === '' ? undefined : yield* writtenBody(request.body);
  return {
    method,
    path: escaped(query === '' ? path : `${path}?${query}`),
    ...(headers && { headers: escaped(headers) }),
    ...(body !== undefined && { body }),
  };
}

/** Returns a body as a file has it. */
function* writtenBody(text: string): Steps<unknown> {
  if (!isLongText(text)) return escaped(parseJsonBody(text));
  const { json = text } = yield* parseInTurns(text);
  return new JsonText(yield* jsonInSteps(json, escapeText));
}

function* stepsOf(source: Source, rule: Fields | undefined): Steps<Fields[]> {
  const { exchange, endpoint } = source;
  const request = yield* requestOf(source);
  const status = exchange.response?.status ?? 200;
  // A step expects a status below 400 by itself.
  const usual = status < 400 ? {} : { expect: { status } };
  if (!rule) return [{ name: 'the request', request, ...usual }];
  const expect = expectedOf(faultOf(rule));
  const first = { name: 'the request meets the fault', request, ...(expect ? { expect } : usual) };
  return repeatable.has(endpoint?.retry) && exchange.response
    ? [first, { name: 'the same request again', request, ...usual }]
    : [first];
}

const titleOf = ({ exchange, endpoint }: Source, rule: Fields | undefined): string =>
  `${endpoint?.id ?? `${exchange.method} ${exchange.path}`}${rule ? ' meets a fault' : ''}`;

/** Returns a scenario that `exec` and `start` play against a client, and `run` by its steps. */
export function* requestScenario(source: Source): Steps<RequestScenario> {
  const { exchange, isFrozen } = source;
  const rule = ruleOf(source);
  const name = titleOf(source, rule);
  const file = fileOf(source.endpoint?.id ?? exchange.method, exchange.id);
  const scenario = {
    name,
    description: `Made from the request ${exchange.id} of ${toTimestamp(exchange.at)}`,
    ...(isFrozen && { now: toTimestamp(exchange.at) }),
    ...(rule && { rules: [rule] }),
    steps: yield* stepsOf(source, rule),
  };
  return { file, text: yield* textOf(file, scenario), rule };
}

/** Proposes the name of a file about something. */
export const fileOf = (subject: string, id: string): string =>
  `${`${subject}-${id}`.replaceAll(/[^\w.-]+/g, '-')}.yaml`;

/** Returns the text of a scenario file, which says at its head how it is played. Throws `Conflict` for one that is too large. */
export function* textOf(file: string, scenario: Fields): Steps<string> {
  const exec = `# loyalty-sim exec --scenario ${file} -- <your command>   injects the fault into your client's request\n`;
  const run = `# loyalty-sim run ${file}   sends the request itself, on the fixtures\n`;
  const written = yield* withJsonTexts(scenario);
  const text = stringify(written, { lineWidth: 0, aliasDuplicateObjects: false, customTags: [jsonTextTag] });
  const whole = `${scenario['rules'] === undefined ? '' : exec}${run}${text}`;
  if (Buffer.byteLength(whole) > maxScenarioBytes) throw fileTooLargeError();
  return whole;
}
