/** Which calls a rule means: tests made ready once, so that asking them costs little. */
import type { Endpoint } from '../core/endpoint.ts';
import { pathPattern } from '../core/path-pattern.ts';
import { isSecret } from '../core/secrets.ts';
import { endpoints } from '../resources/endpoints.ts';
import { formsOf } from '../resources/named-contacts.ts';
import type { Asked } from './asked.ts';
import { fieldPath } from './field-path.ts';
import type { WrittenRule } from './schema.ts';
import { shownValue, wantedOf } from './wanted.ts';
import type { Wanted } from './wanted.ts';

/** Looks at one part of a call. */
interface Test {
  readonly isMet: (asked: Asked) => boolean;
  /** What there was instead, and what the rule wants. */
  readonly whyNot: (asked: Asked) => string;
  readonly key?: Key | undefined;
  /** Whether it is about a value that is not shown. */
  readonly isHidden?: boolean;
}

/** The endpoint or path that a rule names. */
interface Target {
  /** Whether a call to this endpoint, or to none, can be meant at all. */
  readonly canBe: (endpoint: string | undefined) => boolean;
  /** Whether the rule names the call's endpoint or path; without naming any, it has no target. */
  readonly isHit: ((asked: Asked) => boolean) | undefined;
}

/** A place where a rule wants one of some values, by which it is found among many. */
export interface Key {
  readonly place: string;
  readonly values: readonly string[];
  readonly valuesIn: (asked: Asked) => Iterable<unknown>;
}

export interface Matching extends Target {
  readonly method: string | undefined;
  /** All of them are met by the calls that are meant. */
  readonly tests: readonly Test[];
  readonly key: Key | undefined;
}

type Match = NonNullable<WrittenRule['match']>;

export function matchingOf({ match = {} }: WrittenRule): Matching {
  const tests = testsOf(match);
  const key = keyOfPath(match) ?? tests.find((test) => test.key)?.key;
  return { ...targetOf(match), method: match.method?.toUpperCase(), tests, key };
}

function keyOfPath({ path }: Match): Key | undefined {
  if (path === undefined || !isFixed(path)) return undefined;
  return { place: 'path', values: [path], valuesIn: ({ call }) => [call.exchange.path] };
}

function targetOf({ endpoint, path }: Match): Target {
  if (endpoint !== undefined) {
    const ids = new Set([endpoint].flat());
    return {
      canBe: (id) => id !== undefined && ids.has(id),
      // Only calls that can be meant are asked about.
      isHit: () => true,
    };
  }
  if (path === undefined) return { canBe: () => true, isHit: undefined };
  const [fits, near] = [pathTest(path), endpointsNear(path)];
  return {
    canBe: (id) => id === undefined || near.has(id),
    isHit: ({ call }) => fits(call.exchange.path),
  };
}

/** Whether a path is no pattern. */
export const isFixed = (path: string): boolean => !/[{*]/.test(path);

function pathTest(path: string): (called: string) => boolean {
  return isFixed(path) ? (called) => called === path : pathPattern(path);
}

const beginningOf = (path: string): string => path.slice(0, Math.max(0, path.search(/[{*]|$/)));

/** Whether a pattern can mean calls to an endpoint; where it leaves something open, by how the paths begin. */
export function canReach(pattern: string, { path, aliases = [] }: Pick<Endpoint, 'path' | 'aliases'>): boolean {
  const served = [path, ...aliases];
  if (isFixed(pattern)) return served.some((own) => pathPattern(own)(pattern));
  const beginning = beginningOf(pattern);
  return served.map(beginningOf).some((own) => own.startsWith(beginning) || beginning.startsWith(own));
}

const endpointsNear = (pattern: string): ReadonlySet<string> =>
  new Set(endpoints.filter((endpoint) => canReach(pattern, endpoint)).map(({ id }) => id));

function testsOf(match: Match): Test[] {
  const { endpoint, method, path, query = {}, headers = {}, body = {}, contact } = match;
  return [
    ...(method === undefined ? [] : [methodTest(method.toUpperCase())]),
    ...(endpoint === undefined || path === undefined ? [] : [alsoOnPath(path)]),
    ...Object.entries(query).map(queryTest),
    ...Object.entries(headers).map(headerTest),
    ...Object.entries(body).map(bodyTest),
    ...(contact === undefined ? [] : [contactTest(contact)]),
  ];
}

const methodTest = (method: string): Test => ({
  isMet: ({ call }) => call.exchange.method === method,
  whyNot: ({ call }) => `the method is ${call.exchange.method}, the rule wants ${method}`,
});

function alsoOnPath(path: string): Test {
  const fits = pathTest(path);
  return {
    isMet: ({ call }) => fits(call.exchange.path),
    whyNot: ({ call }) => `the path is ${call.exchange.path}, the rule wants ${path}`,
  };
}

/** A place in a call, and what is wanted of what stands there. */
interface Field {
  /** As it is called when it is told of. */
  readonly name: string;
  readonly wanted: Wanted;
  readonly isSecret: boolean;
  readonly valuesIn: (asked: Asked) => readonly unknown[];
}

function fieldTest({ name, wanted, isSecret: isHidden, valuesIn }: Field): Test {
  const { values } = wanted;
  return {
    isMet: (asked) => isMetByOne(wanted, valuesIn(asked)),
    whyNot: (asked) => (isHidden ? unmetSecret(name, valuesIn(asked)) : unmet(name, valuesIn(asked), wanted)),
    isHidden,
    key: values && { place: name, values, valuesIn },
  };
}

const isMetByOne = ({ isMet, isMetByNothing }: Wanted, values: readonly unknown[]): boolean =>
  values.length === 0 ? isMetByNothing : values.some(isMet);

function unmet(name: string, values: readonly unknown[], { text }: Wanted): string {
  const [shown, others] = [values.slice(0, 3).map(shownValue), values.length - 3];
  const found = shown.length === 0 ? 'not there' : shown.join(' and ') + (others > 0 ? ` and ${others} more` : '');
  return `${name} is ${found}, the rule wants ${text}`;
}

const unmetSecret = (name: string, { length }: readonly unknown[]): string =>
  `${name} is ${length > 0 ? 'not what the rule wants' : 'not there'} (its value is not shown)`;

const nothing: readonly unknown[] = [];

const queryTest = ([name, written]: readonly [string, unknown]): Test =>
  fieldTest({
    name: `query.${name}`,
    wanted: wantedOf(written),
    isSecret: isSecret(name),
    // Most calls have none, and few rules ask for it.
    valuesIn: (asked) => (asked.call.exchange.query === '' ? nothing : asked.query.getAll(name)),
  });

function headerTest([written, value]: readonly [string, unknown]): Test {
  const name = written.toLowerCase();
  return fieldTest({
    name: `the header ${name}`,
    wanted: wantedOf(value),
    isSecret: isSecret(name),
    valuesIn: ({ call }) => {
      const sent = call.header(name);
      return sent === undefined ? nothing : [sent];
    },
  });
}

function bodyTest([text, written]: readonly [string, unknown]): Test {
  const [path, wanted] = [fieldPath(text), wantedOf(written)];
  const name = /^[[$]/.test(text) ? `body${text.replace(/^\$/, '')}` : `body.${text}`;
  const valuesIn = ({ body }: Asked): readonly unknown[] => path?.valuesIn(body) ?? [];
  const test = fieldTest({ name, wanted, isSecret: false, valuesIn });
  const whyNot = (asked: Asked): string => {
    if (asked.body === undefined)
      return `the request has no body that is JSON, the rule wants ${name} to be ${wanted.text}`;
    const isList = Array.isArray(asked.body) && !/^\$?\[/.test(text);
    return isList ? `${test.whyNot(asked)}; the body is a list: write [*].${text}` : test.whyNot(asked);
  };
  return { ...test, whyNot };
}

function contactTest(contact: string): Test {
  const forms = formsOf(contact);
  return {
    isMet: ({ contacts }) => forms.some((form) => contacts.has(form)),
    whyNot: ({ contacts }) => {
      const others = contacts.size > 0 ? 'somebody else than' : 'no contact, and so not';
      return `it is about ${others} the one that the rule wants`;
    },
    key: { place: 'contact', values: forms, valuesIn: ({ contacts }) => contacts },
  };
}
