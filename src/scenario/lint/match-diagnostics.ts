/** Reports matches of rules that are well formed and fit no request. */
import { errorAt, under } from '../../core/validation/diagnostic.ts';
import type { Endpoint } from '../../core/exchange/endpoint.ts';
import { redactedText, isSecretName } from '../../core/exchange/redaction.ts';
import { didYouMean } from '../../core/lib/suggest.ts';
import { endpoints } from '../../service/endpoints.ts';
import { compileJsonPath } from '../../matching/json-path.ts';
import { lintHeaderNames } from './header-diagnostics.ts';
import { isObject, parseLeniently } from '../../core/validation/lenient-parse.ts';
import type { PartiallyValid } from '../../core/validation/lenient-parse.ts';
import { mayMatchEndpoint } from '../../matching/request-matcher.ts';
import { validateAgainst } from '../../core/validation/schema-diagnostics.ts';
import type { Diagnostic } from '../../core/validation/diagnostic.ts';
import { patternError } from '../../matching/linear-pattern.ts';
import { matchFields, maxEndpoints, valueMatcherSchema } from '../../matching/match-schema.ts';
import { isValueMatcherSpec, valueMatcherOperators } from '../../matching/value-matcher-spec.ts';

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];
const endpointIds = endpoints.map(({ id }) => id);

type Match = PartiallyValid<typeof matchFields>;

/** Limits the patterns of a match: each is compiled at once, which takes up to some milliseconds. */
const maxPatterns = 20;

const countPatterns = (wanted: unknown): number => {
  if (typeof wanted !== 'object' || wanted === null) return 0;
  const inner = Object.values(wanted).reduce<number>((sum, value) => sum + countPatterns(value), 0);
  return isValueMatcherSpec(wanted) && wanted.matches !== undefined ? inner + 1 : inner;
};

/** Reports that there are too many patterns, none of which is looked at then. */
export function lintPatternCount(wanted: unknown): Diagnostic[] {
  const count = countPatterns(wanted);
  if (count <= maxPatterns) return [];
  const message = `has ${count} patterns (matches), more than ${maxPatterns}: leave some out, or name values in their place`;
  return [errorAt([], message)];
}

export function lintMatch(sent: unknown): Diagnostic[] {
  const match = parseLeniently(matchFields, sent);
  const { query, headers, body } = match;
  const tooMany = lintPatternCount({ query, headers, body });
  if (tooMany.length > 0) return tooMany;
  return [
    ...lintEndpoint(match),
    ...lintMethod(match),
    ...lintPath(match),
    ...textsOf(match).flatMap(({ path, wanted }) => lintValueMatcher(wanted, true).map(under(...path))),
    ...lintHeaderNames(match.headers ?? {}).map(under('headers')),
    ...lintSecrets(match),
    ...lintBody(match),
  ];
}

function lintEndpoint({ endpoint }: Match): Diagnostic[] {
  const isList = Array.isArray(endpoint);
  return [endpoint ?? []]
    .flat()
    .slice(0, maxEndpoints)
    .flatMap((id, i) => {
      if (endpointIds.includes(id)) return [];
      const message = `is "${id}", and there is no endpoint of this id${didYouMean(id, endpointIds)} (docs/supported.md lists them)`;
      return [errorAt(['endpoint', ...(isList ? [i] : [])], message)];
    });
}

const namedEndpoints = ({ endpoint }: Match): Endpoint[] => {
  const ids = new Set([endpoint ?? []].flat());
  return endpoints.filter(({ id }) => ids.has(id));
};

function lintMethod(match: Match): Diagnostic[] {
  const { method } = match;
  if (method === undefined) return [];
  const path = ['method'];
  const sent = method.toUpperCase();
  if (!methods.includes(sent)) {
    return [errorAt(path, `is "${method}", which is no method${didYouMean(sent, methods)} (${methods.join(', ')})`)];
  }
  const named = namedEndpoints(match);
  // A HEAD request gets the response of a GET.
  const isServed = named.some((endpoint) => endpoint.method === sent || (sent === 'HEAD' && endpoint.method === 'GET'));
  if (named.length === 0 || isServed) return [];
  const called = named.map((endpoint) => `${endpoint.id} is called with ${endpoint.method}`).join(', ');
  return [errorAt(path, `is ${method}, but ${called}: leave method out`)];
}

/** Lists what a path can't begin with or hold, and what to write instead. */
const invalidPaths: readonly (readonly [RegExp, string])[] = [
  [/^[^/*]/, 'must begin with / or *'],
  [/\?/, 'has a query: name its parameters under match.query'],
  [/#/, 'has a #, which no client sends'],
  [/^\/t\//, 'has a tenant in front: leave /t/<name> out, and say match.tenant'],
  [/^\/__admin/, 'belongs to the control API, which no fault hits'],
];

function lintPath(match: Match): Diagnostic[] {
  const { path } = match;
  if (path === undefined) return [];
  const wrong = invalidPaths.flatMap(([pattern, message]) => (pattern.test(path) ? [errorAt(['path'], message)] : []));
  const named = namedEndpoints(match);
  if (wrong.length > 0 || named.length === 0 || named.some((endpoint) => mayMatchEndpoint(path, endpoint)))
    return wrong;
  const message = `is ${path}, but ${named.map((endpoint) => `${endpoint.id} is at ${endpoint.path}`).join(', ')}: leave path out`;
  return [errorAt(['path'], message)];
}

interface WantedValue {
  readonly path: readonly string[];
  readonly wanted: unknown;
}

/** Returns the values that are compared with texts: query parameters and headers. */
const textsOf = ({ query = {}, headers = {} }: Match): WantedValue[] =>
  Object.entries({ query, headers }).flatMap(([part, wantedByName]) =>
    Object.entries(wantedByName).map(([name, wanted]) => ({ path: [part, name], wanted })),
  );

/** Reports what is wrong with a value matcher. */
export function lintValueMatcher(wanted: unknown, isText: boolean): Diagnostic[] {
  if (Array.isArray(wanted) && !isText) return lintInner(wanted.map((inner, i) => [i, inner]));
  if (!isObject(wanted)) {
    const isScalar = wanted !== null && typeof wanted !== 'object';
    return isText && !isScalar ? [errorAt([], 'must be a text or a number, as it is sent, or a test')] : [];
  }
  const names = Object.keys(wanted);
  const unknown = names.filter((name) => !valueMatcherOperators.some((known) => known === name));
  // In a body, an object none of whose names is a test is a value.
  if (!isText && unknown.length === names.length) return lintInner(Object.entries(wanted));
  const others = `there are ${valueMatcherOperators.join(', ')}`;
  if (names.length === 0) return [errorAt([], `names no test of a value: ${others}`)];
  if (unknown.length === 0) return lintOperators(wanted);
  return unknown.map((name) =>
    errorAt([name], `is not a test of a value${didYouMean(name, valueMatcherOperators)} (${others})`),
  );
}

const lintInner = (inner: readonly (readonly [string | number, unknown])[]): Diagnostic[] =>
  inner.flatMap(([place, wanted]) => lintValueMatcher(wanted, false).map(under(place)));

function lintOperators(wanted: Readonly<Record<string, unknown>>): Diagnostic[] {
  const { matches, exists, atLeast, atMost } = parseLeniently(valueMatcherSchema.shape, wanted);
  const found = validateAgainst(valueMatcherSchema, wanted);
  const reason = matches === undefined ? undefined : patternError(matches);
  if (reason !== undefined) found.push(errorAt(['matches'], reason));
  if (exists === false && Object.keys(wanted).length > 1) {
    found.push(errorAt(['exists'], 'is false: what is not there meets no other test'));
  }
  if (atLeast !== undefined && atMost !== undefined && atLeast > atMost) {
    found.push(errorAt(['atLeast'], `is ${atLeast}, more than atMost (${atMost}): no number is both`));
  }
  return found;
}

const lintSecrets = (match: Match): Diagnostic[] =>
  textsOf(match).flatMap(({ path, wanted }) =>
    wanted === redactedText && isSecretName(path.at(-1) ?? '')
      ? [errorAt(path, `is ${redactedText}, which stands for a value that is not shown: write the value`)]
      : [],
  );

function lintBody({ method, body = {} }: Match): Diagnostic[] {
  const paths = lintFieldMatchers(body).map(under('body'));
  const isRead = ['GET', 'HEAD'].includes(method?.toUpperCase() ?? '');
  return isRead && Object.keys(body).length > 0
    ? [...paths, errorAt(['body'], `is matched, and a ${method} request has none`)]
    : paths;
}

/** Reports what is wrong with JSON paths and their value matchers. */
export function lintFieldMatchers(wantedByPath: Readonly<Record<string, unknown>>): Diagnostic[] {
  const tooMany = lintPatternCount(wantedByPath);
  if (tooMany.length > 0) return tooMany;
  return Object.entries(wantedByPath).flatMap(([text, wanted]) => {
    const found = lintValueMatcher(wanted, false).map(under(text));
    if (compileJsonPath(text)) return found;
    const message = 'is not a path: write it as contact.matchKey, items[0].sku, items[*].sku or [*].contactId';
    return [...found, errorAt([text], message)];
  });
}
