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
  /** What there was instead, and what the rule wants; told of few calls, and put in words for fewer still. */
  readonly whyNot: (asked: Asked) => () => string;
}

/** The endpoint or path that a rule names. */
interface Target {
  /** Whether a call to this endpoint, or to none, can be meant at all. */
  readonly canBe: (endpoint: string | undefined) => boolean;
  /** Whether the rule names the call's endpoint or path; without naming any, it has no target. */
  readonly isHit: ((asked: Asked) => boolean) | undefined;
}

export interface Matching extends Target {
  /** All of them are met by the calls that are meant. */
  readonly tests: readonly Test[];
}

type Match = NonNullable<WrittenRule['match']>;

export const matchingOf = ({ match = {} }: WrittenRule): Matching => ({ ...targetOf(match), tests: testsOf(match) });

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

const isFixed = (path: string): boolean => !/[{*]/.test(path);

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
  whyNot:
    ({ call: { exchange } }) =>
    () =>
      `the method is ${exchange.method}, the rule wants ${method}`,
});

function alsoOnPath(path: string): Test {
  const fits = pathTest(path);
  return {
    isMet: ({ call }) => fits(call.exchange.path),
    whyNot:
      ({ call: { exchange } }) =>
      () =>
        `the path is ${exchange.path}, the rule wants ${path}`,
  };
}

const isMetByOne = ({ isMet, isMetByNothing }: Wanted, values: readonly unknown[]): boolean =>
  values.length === 0 ? isMetByNothing : values.some(isMet);

function unmet(what: string, values: readonly unknown[], { text }: Wanted): () => string {
  const [shown, others] = [values.slice(0, 3).map(shownValue), values.length - 3];
  return () => {
    const found = shown.length === 0 ? 'not there' : shown.join(' and ') + (others > 0 ? ` and ${others} more` : '');
    return `${what} is ${found}, the rule wants ${text}`;
  };
}

function queryTest([name, written]: readonly [string, unknown]): Test {
  const [wanted, what] = [wantedOf(written), `query.${name}`];
  const valuesIn = ({ call }: Asked): readonly string[] => call.query.getAll(name);
  return {
    isMet: (asked) => isMetByOne(wanted, valuesIn(asked)),
    whyNot: (asked) => (isSecret(name) ? unmetSecret(what, valuesIn(asked)) : unmet(what, valuesIn(asked), wanted)),
  };
}

function headerTest([written, value]: readonly [string, unknown]): Test {
  const [name, wanted] = [written.toLowerCase(), wantedOf(value)];
  const what = `the header ${name}`;
  const valuesIn = ({ call }: Asked): readonly string[] => [call.header(name) ?? []].flat();
  return {
    isMet: (asked) => isMetByOne(wanted, valuesIn(asked)),
    whyNot: (asked) => (isSecret(name) ? unmetSecret(what, valuesIn(asked)) : unmet(what, valuesIn(asked), wanted)),
  };
}

function unmetSecret(what: string, { length }: readonly string[]): () => string {
  return () => `${what} is ${length > 0 ? 'not what the rule wants' : 'not there'} (its value is not shown)`;
}

function bodyTest([text, written]: readonly [string, unknown]): Test {
  const [path, wanted] = [fieldPath(text), wantedOf(written)];
  const valuesIn = (body: unknown): readonly unknown[] => path?.valuesIn(body) ?? [];
  const what = /^[[$]/.test(text) ? `body${text.replace(/^\$/, '')}` : `body.${text}`;
  return {
    isMet: ({ body }) => isMetByOne(wanted, valuesIn(body)),
    whyNot: ({ body }) => {
      if (body === undefined)
        return () => `the request has no body that is JSON, the rule wants ${what} to be ${wanted.text}`;
      const isList = Array.isArray(body) && !/^\$?\[/.test(text);
      const reason = unmet(what, valuesIn(body), wanted);
      return () => (isList ? `${reason()}; the body is a list: write [*].${text}` : reason());
    },
  };
}

function contactTest(contact: string): Test {
  const forms = formsOf(contact);
  return {
    isMet: ({ contacts }) => forms.some((form) => contacts.has(form)),
    whyNot: ({ contacts }) => {
      const isAny = contacts.size > 0;
      return () => `it is about ${isAny ? 'somebody else than' : 'no contact, and so not'} the one that the rule wants`;
    },
  };
}
