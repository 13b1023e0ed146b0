/** What is well formed in the match of a rule, and yet can mean no call. */
import type { Endpoint } from '../core/endpoint.ts';
import { hidden, isSecret } from '../core/secrets.ts';
import { didYouMean } from '../core/warning.ts';
import { endpoints } from '../resources/endpoints.ts';
import { fieldPath } from './field-path.ts';
import { namesOfHeaders } from './header-findings.ts';
import { isObject, legible } from './legible.ts';
import type { Legible } from './legible.ts';
import { canReach } from './matching.ts';
import { schemaFindings } from './findings.ts';
import type { Finding } from './findings.ts';
import { patternFault } from './safe-pattern.ts';
import { matchFields, valueTestSchema } from './schema.ts';
import { valueTestNames } from './value-test.ts';

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];
const endpointIds = endpoints.map(({ id }) => id);

type Match = Legible<typeof matchFields>;

export function matchContradictions(sent: unknown): Finding[] {
  const match = legible(matchFields, sent);
  return [
    ...endpointFindings(match),
    ...methodFindings(match),
    ...pathFindings(match),
    ...textsOf(match).flatMap(({ path, wanted }) => valueFindings(wanted, true).map(under(path))),
    ...namesOfHeaders(match.headers ?? {}).map(under(['headers'])),
    ...secretFindings(match),
    ...bodyFindings(match),
  ];
}

function endpointFindings({ endpoint }: Match): Finding[] {
  const isList = Array.isArray(endpoint);
  return [endpoint ?? []].flat().flatMap((id, i) => {
    if (endpointIds.includes(id)) return [];
    const message = `is "${id}", and there is no endpoint of this id${didYouMean(id, endpointIds)} (docs/supported.md lists them)`;
    return [{ path: ['endpoint', ...(isList ? [i] : [])], message }];
  });
}

const namedEndpoints = ({ endpoint }: Match): Endpoint[] => {
  const ids = new Set([endpoint ?? []].flat());
  return endpoints.filter(({ id }) => ids.has(id));
};

function methodFindings(match: Match): Finding[] {
  const { method } = match;
  if (method === undefined) return [];
  const path = ['method'];
  const sent = method.toUpperCase();
  if (!methods.includes(sent)) {
    return [
      { path, message: `is "${method}", which is no method${didYouMean(sent, methods)} (${methods.join(', ')})` },
    ];
  }
  const named = namedEndpoints(match);
  // A HEAD request is answered as a GET is.
  const isServed = named.some((endpoint) => endpoint.method === sent || (sent === 'HEAD' && endpoint.method === 'GET'));
  if (named.length === 0 || isServed) return [];
  const called = named.map((endpoint) => `${endpoint.id} is called with ${endpoint.method}`).join(', ');
  return [{ path, message: `is ${method}, but ${called}: leave method out` }];
}

/** What a path can't begin with or hold, and what to write instead. */
const pathMistakes: readonly (readonly [RegExp, string])[] = [
  [/^[^/*]/, 'must begin with / or *'],
  [/\?/, 'has a query: name its parameters under match.query'],
  [/#/, 'has a #, which no client sends'],
  [/^\/t\//, 'has a tenant in front: leave /t/<name> out, and say match.tenant'],
  [/^\/__admin/, 'belongs to the control API, which no fault befalls'],
];

function pathFindings(match: Match): Finding[] {
  const { path } = match;
  if (path === undefined) return [];
  const wrong = pathMistakes.flatMap(([mistake, message]) => (mistake.test(path) ? [{ path: ['path'], message }] : []));
  const named = namedEndpoints(match);
  if (wrong.length > 0 || named.length === 0 || named.some((endpoint) => canReach(path, endpoint))) return wrong;
  const message = `is ${path}, but ${named.map((endpoint) => `${endpoint.id} is at ${endpoint.path}`).join(', ')}: leave path out`;
  return [{ path: ['path'], message }];
}

const under =
  (outer: Finding['path']) =>
  ({ path, message }: Finding): Finding => ({ path: [...outer, ...path], message });

interface WantedValue {
  readonly path: readonly string[];
  readonly wanted: unknown;
}

/** What is a text wherever it is sent. */
const textsOf = ({ query = {}, headers = {} }: Match): WantedValue[] =>
  Object.entries({ query, headers }).flatMap(([part, wantedByName]) =>
    Object.entries(wantedByName).map(([name, wanted]) => ({ path: [part, name], wanted })),
  );

/** What is wrong with what is wanted of a value. */
export function valueFindings(wanted: unknown, isText: boolean): Finding[] {
  if (Array.isArray(wanted) && !isText) return innerFindings(wanted.map((inner, i) => [i, inner]));
  if (!isObject(wanted)) {
    const isScalar = wanted !== null && typeof wanted !== 'object';
    return isText && !isScalar ? [{ path: [], message: 'must be a text or a number, as it is sent, or a test' }] : [];
  }
  const names = Object.keys(wanted);
  const unknown = names.filter((name) => !valueTestNames.some((known) => known === name));
  // In a body, an object none of whose names is a test is a value.
  if (!isText && unknown.length === names.length) return innerFindings(Object.entries(wanted));
  const others = `there are ${valueTestNames.join(', ')}`;
  if (names.length === 0) return [{ path: [], message: `names no test of a value: ${others}` }];
  if (unknown.length === 0) return testFindings(wanted);
  return unknown.map((name) => ({
    path: [name],
    message: `is not a test of a value${didYouMean(name, valueTestNames)} (${others})`,
  }));
}

const innerFindings = (inner: readonly (readonly [string | number, unknown])[]): Finding[] =>
  inner.flatMap(([place, wanted]) =>
    valueFindings(wanted, false).map(({ path, message }) => ({ path: [place, ...path], message })),
  );

function testFindings(wanted: Readonly<Record<string, unknown>>): Finding[] {
  const { matches, exists, atLeast, atMost } = legible(valueTestSchema.shape, wanted);
  const found = schemaFindings(valueTestSchema, wanted);
  const fault = matches === undefined ? undefined : patternFault(matches);
  if (fault !== undefined) found.push({ path: ['matches'], message: fault });
  if (exists === false && Object.keys(wanted).length > 1) {
    found.push({ path: ['exists'], message: 'is false: what is not there meets no other test' });
  }
  if (atLeast !== undefined && atMost !== undefined && atLeast > atMost) {
    found.push({ path: ['atLeast'], message: `is ${atLeast}, more than atMost (${atMost}): no number is both` });
  }
  return found;
}

const secretFindings = (match: Match): Finding[] =>
  textsOf(match).flatMap(({ path, wanted }) =>
    wanted === hidden && isSecret(path.at(-1) ?? '')
      ? [{ path, message: `is ${hidden}, which stands for a value that is not shown: write the value` }]
      : [],
  );

function bodyFindings({ method, body = {} }: Match): Finding[] {
  const paths = fieldsFindings(body).map(under(['body']));
  const isRead = ['GET', 'HEAD'].includes(method?.toUpperCase() ?? '');
  return isRead && Object.keys(body).length > 0
    ? [...paths, { path: ['body'], message: `is matched, and a ${method} request has none` }]
    : paths;
}

/** What is wrong with fields by JSON path, and with what is wanted of them. */
export const fieldsFindings = (wantedByPath: Readonly<Record<string, unknown>>): Finding[] =>
  Object.entries(wantedByPath).flatMap(([text, wanted]) => {
    const found = valueFindings(wanted, false).map(under([text]));
    if (fieldPath(text)) return found;
    const message = 'is not a path: write it as contact.matchKey, items[0].sku, items[*].sku or [*].contactId';
    return [...found, { path: [text], message }];
  });
