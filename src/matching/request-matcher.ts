/** Which calls a rule means: tests made ready once, so that asking them costs little. */
import type { Endpoint } from '../core/exchange/endpoint.ts';
import { compilePathTemplate } from '../core/exchange/path-template.ts';
import { isSecretName } from '../core/exchange/redaction.ts';
import { endpoints } from '../service/endpoints.ts';
import { referenceForms } from '../service/contact-references.ts';
import type { RequestView } from './request-view.ts';
import { compileJsonPath } from './json-path.ts';
import type { RuleSpec } from '../faults/rule-schema.ts';
import { formatValue, compileValueMatcher } from './value-matcher.ts';
import type { ValueMatcher } from './value-matcher.ts';

/** Looks at one part of a call. */
interface RequestPredicate {
  readonly matches: (asked: RequestView) => boolean;
  /** What there was instead, and what the rule wants. */
  readonly explainMismatch: (asked: RequestView) => string;
  readonly key?: IndexKey | undefined;
  /** Whether it is about a value that is not shown. */
  readonly isHidden?: boolean;
}

/** The endpoint or path that a rule names. */
interface EndpointFilter {
  /** Whether a call to this endpoint, or to none, can be meant at all. */
  readonly mayApplyTo: (endpoint: string | undefined) => boolean;
  /** Whether the rule names the call's endpoint or path; without naming any, it has no target. */
  readonly matchesTarget: ((asked: RequestView) => boolean) | undefined;
}

/** A place where a rule wants one of some values, by which it is found among many. */
export interface IndexKey {
  readonly location: string;
  readonly literals: readonly string[];
  readonly valuesIn: (asked: RequestView) => Iterable<unknown>;
}

export interface RequestMatcher extends EndpointFilter {
  readonly method: string | undefined;
  /** All of them are met by the calls that are meant. */
  readonly predicates: readonly RequestPredicate[];
  readonly key: IndexKey | undefined;
}

type Match = NonNullable<RuleSpec['match']>;

export function compileRequestMatcher({ match = {} }: RuleSpec): RequestMatcher {
  const tests = compileRequestPredicates(match);
  const key = pathIndexKey(match) ?? tests.find((test) => test.key)?.key;
  return { ...compileEndpointFilter(match), method: match.method?.toUpperCase(), predicates: tests, key };
}

function pathIndexKey({ path }: Match): IndexKey | undefined {
  if (path === undefined || !isLiteralPath(path)) return undefined;
  return { location: 'path', literals: [path], valuesIn: ({ call }) => [call.exchange.path] };
}

function compileEndpointFilter({ endpoint, path }: Match): EndpointFilter {
  if (endpoint !== undefined) {
    const ids = new Set([endpoint].flat());
    return {
      mayApplyTo: (id) => id !== undefined && ids.has(id),
      // Only calls that can be meant are asked about.
      matchesTarget: () => true,
    };
  }
  if (path === undefined) return { mayApplyTo: () => true, matchesTarget: undefined };
  const [fits, near] = [pathTest(path), endpointsMatching(path)];
  return {
    mayApplyTo: (id) => id === undefined || near.has(id),
    matchesTarget: ({ call }) => fits(call.exchange.path),
  };
}

/** Whether a path is no pattern. */
export const isLiteralPath = (path: string): boolean => !/[{*]/.test(path);

function pathTest(path: string): (called: string) => boolean {
  return isLiteralPath(path) ? (called) => called === path : compilePathTemplate(path);
}

const beginningOf = (path: string): string => path.slice(0, Math.max(0, path.search(/[{*]|$/)));

/** Whether a pattern can mean calls to an endpoint; where it leaves something open, by how the paths begin. */
export function mayMatchEndpoint(pattern: string, { path, aliases = [] }: Pick<Endpoint, 'path' | 'aliases'>): boolean {
  const served = [path, ...aliases];
  if (isLiteralPath(pattern)) return served.some((own) => compilePathTemplate(own)(pattern));
  const beginning = beginningOf(pattern);
  return served.map(beginningOf).some((own) => own.startsWith(beginning) || beginning.startsWith(own));
}

const endpointsMatching = (pattern: string): ReadonlySet<string> =>
  new Set(endpoints.filter((endpoint) => mayMatchEndpoint(pattern, endpoint)).map(({ id }) => id));

function compileRequestPredicates(match: Match): RequestPredicate[] {
  const { endpoint, method, path, query = {}, headers = {}, body = {}, contact } = match;
  return [
    ...(method === undefined ? [] : [methodPredicate(method.toUpperCase())]),
    ...(endpoint === undefined || path === undefined ? [] : [alsoOnPath(path)]),
    ...Object.entries(query).map(queryPredicate),
    ...Object.entries(headers).map(headerPredicate),
    ...Object.entries(body).map(bodyPredicate),
    ...(contact === undefined ? [] : [contactPredicate(contact)]),
  ];
}

const methodPredicate = (method: string): RequestPredicate => ({
  matches: ({ call }) => call.exchange.method === method,
  explainMismatch: ({ call }) => `the method is ${call.exchange.method}, the rule wants ${method}`,
});

function alsoOnPath(path: string): RequestPredicate {
  const fits = pathTest(path);
  return {
    matches: ({ call }) => fits(call.exchange.path),
    explainMismatch: ({ call }) => `the path is ${call.exchange.path}, the rule wants ${path}`,
  };
}

/** A place in a call, and what is wanted of what stands there. */
interface FieldMatcher {
  /** As it is called when it is told of. */
  readonly name: string;
  readonly wanted: ValueMatcher;
  readonly isSecret: boolean;
  readonly valuesIn: (asked: RequestView) => readonly unknown[];
}

function fieldPredicate({ name, wanted, isSecret: isHidden, valuesIn }: FieldMatcher): RequestPredicate {
  const { literals: values } = wanted;
  return {
    matches: (asked) => matchesAny(wanted, valuesIn(asked)),
    explainMismatch: (asked) => (isHidden ? unmetSecret(name, valuesIn(asked)) : unmet(name, valuesIn(asked), wanted)),
    isHidden,
    key: values && { location: name, literals: values, valuesIn },
  };
}

const matchesAny = (
  { matches: isMet, matchesAbsent: isMetByNothing }: ValueMatcher,
  values: readonly unknown[],
): boolean => (values.length === 0 ? isMetByNothing : values.some(isMet));

function unmet(name: string, values: readonly unknown[], { description: text }: ValueMatcher): string {
  const [shown, others] = [values.slice(0, 3).map(formatValue), values.length - 3];
  const found = shown.length === 0 ? 'not there' : shown.join(' and ') + (others > 0 ? ` and ${others} more` : '');
  return `${name} is ${found}, the rule wants ${text}`;
}

const unmetSecret = (name: string, { length }: readonly unknown[]): string =>
  `${name} is ${length > 0 ? 'not what the rule wants' : 'not there'} (its value is not shown)`;

const nothing: readonly unknown[] = [];

const queryPredicate = ([name, written]: readonly [string, unknown]): RequestPredicate =>
  fieldPredicate({
    name: `query.${name}`,
    wanted: compileValueMatcher(written),
    isSecret: isSecretName(name),
    // Most calls have none, and few rules ask for it.
    valuesIn: (asked) => (asked.call.exchange.query === '' ? nothing : asked.query.getAll(name)),
  });

function headerPredicate([written, value]: readonly [string, unknown]): RequestPredicate {
  const name = written.toLowerCase();
  return fieldPredicate({
    name: `the header ${name}`,
    wanted: compileValueMatcher(value),
    isSecret: isSecretName(name),
    valuesIn: ({ call }) => {
      const sent = call.header(name);
      return sent === undefined ? nothing : [sent];
    },
  });
}

function bodyPredicate([text, written]: readonly [string, unknown]): RequestPredicate {
  const [path, wanted] = [compileJsonPath(text), compileValueMatcher(written)];
  const name = /^[[$]/.test(text) ? `body${text.replace(/^\$/, '')}` : `body.${text}`;
  const valuesIn = ({ body }: RequestView): readonly unknown[] => path?.valuesIn(body) ?? [];
  const test = fieldPredicate({ name, wanted, isSecret: false, valuesIn });
  const whyNot = (asked: RequestView): string => {
    if (asked.body === undefined)
      return `the request has no body that is JSON, the rule wants ${name} to be ${wanted.description}`;
    const isList = Array.isArray(asked.body) && !/^\$?\[/.test(text);
    return isList
      ? `${test.explainMismatch(asked)}; the body is a list: write [*].${text}`
      : test.explainMismatch(asked);
  };
  return { ...test, explainMismatch: whyNot };
}

function contactPredicate(contact: string): RequestPredicate {
  const forms = referenceForms(contact);
  return {
    matches: ({ contacts }) => forms.some((form) => contacts.has(form)),
    explainMismatch: ({ contacts }) => {
      const others = contacts.size > 0 ? 'somebody else than' : 'no contact, and so not';
      return `it is about ${others} the one that the rule wants`;
    },
    key: { location: 'contact', literals: forms, valuesIn: ({ contacts }) => contacts },
  };
}
