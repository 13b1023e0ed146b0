import type { Endpoint } from '../core/exchange/endpoint.ts';
import type { Exchange } from '../core/exchange/exchange.ts';
import { compilePathTemplate, endpointPathTest, withoutTrailingSlash } from '../core/exchange/path-template.ts';
import { isSecretName } from '../core/exchange/redaction.ts';
import { withIndexes } from '../core/time/index-in-steps.ts';
import type { Steps } from '../core/time/steps.ts';
import { endpoints } from '../service/endpoints.ts';
import { referenceForms } from '../service/contact-references.ts';
import type { RequestView } from './request-view.ts';
import { compileJsonPath } from './json-path.ts';
import type { JsonPathQuery } from './json-path.ts';
import { formatValue, compileValueMatcher, limitWords, matchesAny, matchesAnyInSteps } from './value-matcher.ts';
import type { Match, ValueMatcher } from './value-matcher.ts';

/** Tests one part of a request. */
interface RequestPredicate {
  readonly matches: (view: RequestView) => boolean;
  /** Says what there was instead, and what the rule wants. */
  readonly explainMismatch: (view: RequestView) => string;
  readonly key?: IndexKey | undefined;
  /** True when it is about a value that is not shown. */
  readonly isHidden?: boolean;
}

/** Tests the endpoint or path that a rule names. */
interface EndpointFilter {
  /** True when a request to this endpoint, or to none, can be meant at all. */
  readonly mayApplyTo: (endpoint: string | undefined) => boolean;
  /** True when the rule names the request's endpoint or path; undefined when it names none. */
  readonly matchesTarget: ((view: RequestView) => boolean) | undefined;
}

/** Holds a place where a rule wants one of some values, by which it is found among many. */
export interface IndexKey {
  readonly location: string;
  readonly literals: readonly string[];
  readonly valuesIn: (view: RequestView) => readonly unknown[];
}

export interface RequestMatcher extends EndpointFilter {
  /** True when a request went to the endpoint, by the method and to the path that are named. */
  readonly isAtTarget: (request: {
    readonly endpoint: string | undefined;
    readonly exchange: Pick<Exchange, 'method' | 'path'>;
  }) => boolean;
  readonly method: string | undefined;
  /** Holds what is wanted of single places in a request. */
  readonly fields: readonly FieldMatcher[];
  /** Holds what a request has to pass once its endpoint may be meant. */
  readonly predicates: readonly RequestPredicate[];
  readonly key: IndexKey | undefined;
}

/** Says which requests are meant, as rules, expectations and journal filters write it. */
export interface RequestMatchSpec {
  readonly endpoint?: string | readonly string[] | undefined;
  readonly method?: string | undefined;
  readonly path?: string | undefined;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly headers?: Readonly<Record<string, unknown>> | undefined;
  readonly body?: Readonly<Record<string, unknown>> | undefined;
  readonly contact?: string | undefined;
}

export function compileRequestMatcher(spec: RequestMatchSpec): RequestMatcher {
  // requests are served, and recorded, without the slash at the end.
  const match = spec.path === undefined ? spec : { ...spec, path: withoutTrailingSlash(spec.path) };
  const { method, path } = match;
  const fields = fieldMatchers(match);
  const predicates = [...targetPredicates(match), ...fields.map(fieldPredicate)];
  const key = pathIndexKey(path) ?? predicates.find((predicate) => predicate.key)?.key;
  return {
    ...compileEndpointFilter(match),
    isAtTarget: compileTarget(match),
    method: method?.toUpperCase(),
    fields,
    predicates,
    key,
  };
}

const pathOf = ({ call }: RequestView): readonly unknown[] => [call.exchange.path];

function pathIndexKey(path: string | undefined): IndexKey | undefined {
  if (path === undefined || !isLiteralPath(path)) return undefined;
  return { location: 'path', literals: [path], valuesIn: pathOf };
}

function compileEndpointFilter({ endpoint, path }: RequestMatchSpec): EndpointFilter {
  if (endpoint !== undefined) {
    const ids = new Set([endpoint].flat());
    return {
      mayApplyTo: (id) => id !== undefined && ids.has(id),
      // Only requests that can be meant get here.
      matchesTarget: () => true,
    };
  }
  if (path === undefined) return { mayApplyTo: () => true, matchesTarget: undefined };
  const fits = pathTest(path);
  // Expectations never ask for it.
  let near: ReadonlySet<string> | undefined;
  return {
    mayApplyTo: (id) => id === undefined || (near ??= endpointsMatching(path)).has(id),
    matchesTarget: ({ call }) => fits(call.exchange.path),
  };
}

/** Returns a test of whether a request went to the endpoint, by the method and to the path that are named. */
function compileTarget({ endpoint, method, path }: RequestMatchSpec): RequestMatcher['isAtTarget'] {
  const ids = endpoint === undefined ? undefined : new Set<string | undefined>([endpoint].flat());
  const verb = method?.toUpperCase();
  const fits = path === undefined ? undefined : pathTest(path);
  return ({ endpoint: id, exchange }) =>
    (ids?.has(id) ?? true) &&
    (verb === undefined || verb === exchange.method) &&
    (path === undefined || exchange.path === path || fits?.(exchange.path) === true);
}

/** True when a path is no pattern. */
export const isLiteralPath = (path: string): boolean => !/[{*]/.test(path);

function pathTest(path: string): (called: string) => boolean {
  return isLiteralPath(path) ? (called) => called === path : compilePathTemplate(path);
}

const beginningOf = (path: string): string => path.slice(0, Math.max(0, path.search(/[{*]|$/)));

/** True when a pattern can mean requests to an endpoint; where it leaves something open, by how the paths begin. */
export function mayMatchEndpoint(pattern: string, { path, aliases = [] }: Pick<Endpoint, 'path' | 'aliases'>): boolean {
  const served = [path, ...aliases];
  if (isLiteralPath(pattern)) return served.some((own) => endpointPathTest(own)(pattern));
  const beginning = beginningOf(pattern);
  return served.map(beginningOf).some((own) => own.startsWith(beginning) || beginning.startsWith(own));
}

const endpointsMatching = (pattern: string): ReadonlySet<string> =>
  new Set(endpoints.filter((endpoint) => mayMatchEndpoint(pattern, endpoint)).map(({ id }) => id));

const targetPredicates = ({ endpoint, method, path }: RequestMatchSpec): RequestPredicate[] => [
  ...(method === undefined ? [] : [methodPredicate(method.toUpperCase())]),
  ...(endpoint === undefined || path === undefined ? [] : [alsoOnPath(path)]),
];

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

const fieldMatchers = ({ query = {}, headers = {}, body = {}, contact }: RequestMatchSpec): FieldMatcher[] => [
  ...Object.entries(query).map(queryMatcher),
  ...Object.entries(headers).map(headerMatcher),
  ...Object.entries(body).map(bodyMatcher),
  ...(contact === undefined ? [] : [contactMatcher(contact)]),
];

/** Holds a place in a request, and what is wanted of what stands there. */
export interface FieldMatcher {
  /** Names the place: `body.storeExternalId`. */
  readonly name: string;
  readonly wanted: Pick<ValueMatcher, 'matches' | 'matchesAbsent' | 'literals' | 'isSearch' | 'workFor'>;
  readonly isSecret: boolean;
  readonly valuesIn: (request: RequestView) => readonly unknown[];
  /** Says in words what stands there instead. */
  readonly describeActual: (values: readonly unknown[]) => string;
  /** Says in words what stands there instead, and what a rule wants. */
  readonly explainMismatch: (request: RequestView) => string;
}

/** Tells whether a value in the place is what is wanted. */
export const matchesField = (field: FieldMatcher, request: RequestView): Match =>
  request.isLong || field.wanted.isSearch
    ? request.workOut(field, () => matchesFieldInSteps(field, request))
    : matchesAny(field.wanted, field.valuesIn(request));

/** Does as `matchesField`, in steps: a long body may have any number of values in a place. */
export function* matchesFieldInSteps({ wanted, valuesIn }: FieldMatcher, request: RequestView): Steps<Match> {
  return yield* matchesAnyInSteps(wanted, yield* withIndexes(() => valuesIn(request)));
}

function fieldPredicate(field: FieldMatcher): RequestPredicate {
  const { name, wanted, isSecret, valuesIn, explainMismatch } = field;
  const { literals } = wanted;
  return {
    matches: (request) => matchesField(field, request) === true,
    explainMismatch,
    isHidden: isSecret,
    key: literals && { location: name, literals, valuesIn },
  };
}

interface FieldOptions extends Pick<FieldMatcher, 'name' | 'valuesIn'> {
  /** Names the place as rules do, where that differs. */
  readonly ruleName?: string;
  readonly wanted: ValueMatcher;
  readonly isSecret?: boolean;
}

const fieldMatcher = ({ name, ruleName = name, wanted, isSecret = false, valuesIn }: FieldOptions): FieldMatcher => ({
  name,
  wanted,
  isSecret,
  valuesIn,
  describeActual: (values) => `${name} is ${formatValue(values.length > 1 ? values : values[0])}`,
  explainMismatch: (request) =>
    isSecret ? unmetSecret(ruleName, valuesIn(request)) : unmet(ruleName, valuesIn(request), wanted),
});

function unmet(name: string, values: readonly unknown[], wanted: ValueMatcher): string {
  const [shown, others] = [values.slice(0, 3).map(formatValue), values.length - 3];
  const found = shown.length === 0 ? 'not there' : shown.join(' and ') + (others > 0 ? ` and ${others} more` : '');
  return `${name} is ${found}, the rule wants ${wanted.description}${limitWords(wanted, values)}`;
}

const unmetSecret = (name: string, { length }: readonly unknown[]): string =>
  `${name} is ${length > 0 ? 'not what the rule wants' : 'not there'} (its value is not shown)`;

const nothing: readonly unknown[] = [];

/** Returns a boolean as the text that parameters and headers have in its place. */
const asText = (spec: unknown): unknown => (typeof spec === 'boolean' ? String(spec) : spec);

const queryMatcher = ([name, spec]: readonly [string, unknown]): FieldMatcher =>
  fieldMatcher({
    name: `query.${name}`,
    wanted: compileValueMatcher(asText(spec)),
    isSecret: isSecretName(name),
    // Most requests have none, and few rules ask for it.
    valuesIn: (request) => (request.call.exchange.query === '' ? nothing : request.query.getAll(name)),
  });

function headerMatcher([spelling, value]: readonly [string, unknown]): FieldMatcher {
  const name = spelling.toLowerCase();
  return fieldMatcher({
    name: `header.${spelling}`,
    ruleName: `the header ${name}`,
    wanted: compileValueMatcher(asText(value)),
    isSecret: isSecretName(name),
    valuesIn: ({ call }) => {
      const sent = call.header(name);
      return sent === undefined ? nothing : [sent];
    },
  });
}

function bodyMatcher([text, spec]: readonly [string, unknown]): FieldMatcher {
  const [path, wanted] = [compileJsonPath(text), compileValueMatcher(spec)];
  const name = /^[[$]/.test(text) ? `body${text.replace(/^\$/, '')}` : `body.${text}`;
  const field = fieldMatcher({ name, wanted, valuesIn: (request) => (path ? valuesAt(path, request) : nothing) });
  const explainMismatch = (request: RequestView): string => {
    if (request.body === undefined)
      return `the request has no body that is JSON, the rule wants ${name} to be ${wanted.description}`;
    const isList = Array.isArray(request.body) && !/^\$?\[/.test(text);
    const reason = field.explainMismatch(request);
    return isList ? `${reason}; the body is a list: write [*].${text}` : reason;
  };
  return { ...field, explainMismatch };
}

/** Returns the values in a place of a body; many in a long one, which several matchers may look at. */
const valuesAt = ({ key, isSingle, valuesIn }: JsonPathQuery, request: RequestView): readonly unknown[] =>
  isSingle || !request.isLong
    ? valuesIn(request.body)
    : request.workOut(key, function* () {
        yield;
        return valuesIn(request.body);
      });

function contactMatcher(contact: string): FieldMatcher {
  const forms = referenceForms(contact);
  return {
    name: 'contact',
    wanted: {
      matches: (form) => forms.some((one) => one === form),
      matchesAbsent: false,
      literals: forms,
      isSearch: false,
      workFor: () => forms.length,
    },
    isSecret: false,
    valuesIn: ({ contacts }) => [...contacts],
    describeActual: () => 'it is not about this contact',
    explainMismatch: ({ contacts }) => {
      const others = contacts.size > 0 ? 'somebody else than' : 'no contact, and so not';
      return `it is about ${others} the one that the rule wants`;
    },
  };
}
