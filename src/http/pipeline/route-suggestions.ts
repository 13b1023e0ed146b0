import { distance } from 'fastest-levenshtein';
import type { Endpoint } from '../../core/exchange/endpoint.ts';
import type { ApiError } from '../../core/exchange/api-error.ts';
import { pathParameters } from '../../core/exchange/path-template.ts';
import { closestName } from '../../core/lib/suggest.ts';
import { successorOf } from '../../service/earlier-version.ts';
import { apiError } from '../../service/errors/catalog.ts';
import type { AppContext } from '../context.ts';

/** Pairs a path that has `{params}` with a method that it is served with. */
interface ServedRoute {
  readonly method: string;
  readonly served: string;
}

interface RequestLine {
  readonly method: string;
  readonly path: string;
}

/** Creates the error for a request that no endpoint serves; the journal records the nearest one. */
export function unknownRouteError(c: AppContext, endpoints: readonly Endpoint[], path = c.req.path): ApiError {
  const routes = endpoints.flatMap(({ method, path: own, aliases = [] }) =>
    [own, ...aliases].map((served) => ({ method, served })),
  );
  const { error, suggestion } = suggestRoute({ method: c.req.method, path }, routes);
  c.get('exchange').nearest = suggestion;
  return error;
}

/** Suggests what is served instead: other methods of the path, what took its place, or the nearest path. */
export function suggestRoute(
  { path, method }: RequestLine,
  routes: readonly ServedRoute[],
): { readonly error: ApiError; readonly suggestion: string | undefined } {
  const others = routes.filter(({ served }) => pathParameters(served, path) !== undefined);
  if (others.length > 0) {
    const allow = [...new Set(others.map((route) => route.method))].join(', ');
    const message = `${path} is not served with ${method}, only with ${allow}.`;
    return {
      error: apiError('MethodNotAllowed', { message, headers: { allow } }),
      suggestion: routeLabel(others[0]),
    };
  }
  const { hint, suggestion } = hintFor({ path, method }, routes);
  return {
    error: apiError('EndpointNotFound', { message: `${method} ${path} is not served here${hint}.` }),
    suggestion,
  };
}

const routeLabel = (route: ServedRoute | undefined): string | undefined => route && `${route.method} ${route.served}`;

function hintFor(
  { path, method }: RequestLine,
  routes: readonly ServedRoute[],
): { readonly hint: string; readonly suggestion: string | undefined } {
  const sent = partsOf(normalizePath(path));
  const same = preferMethod(
    method,
    routes.filter(({ served }) => distanceFrom(served, sent, differsInCase) === 0),
  );
  const successor = same ? undefined : successorOf(`/${sent.join('/').toLowerCase()}`);
  if (successor !== undefined) return { hint: `; in API v3 it is ${successor}`, suggestion: successor };
  const nearest = same ?? similarRoute(sent, method, routes);
  return { hint: nearestHint(path, nearest), suggestion: routeLabel(nearest) };
}

/** Removes double, trailing and encoded slashes, which come from joining a base address and a path. */
const normalizePath = (path: string): string =>
  path
    .replaceAll(/%2f/gi, '/')
    .replaceAll(/\/{2,}/g, '/')
    .replace(/(.)\/$/, '$1');

/** Lists typos that are easily overlooked in a path that is almost right. */
const typoKinds: readonly { readonly hint: string; readonly isIn: (path: string, served: string) => boolean }[] = [
  { hint: ', with slashes that are not encoded', isIn: (path) => /%2f/i.test(path) },
  { hint: ', with single slashes', isIn: (path) => path.includes('//') },
  { hint: ', without the slash at its end', isIn: (path) => path.endsWith('/') },
  { hint: ', in these small and capital letters', isIn: isOtherCase },
];

/** True when a part of the path differs from the served one in its case alone. */
function isOtherCase(path: string, served: string): boolean {
  const parts = new Map(served.split('/').map((part) => [part.toLowerCase(), part]));
  return path.split('/').some((part) => (parts.get(part.toLowerCase()) ?? part) !== part);
}

function nearestHint(path: string, route: ServedRoute | undefined): string {
  if (!route) return '; /__admin/docs shows what is';
  const typo = typoKinds.find(({ isIn }) => isIn(path, route.served));
  return `; the nearest endpoint is ${routeLabel(route)}${typo?.hint ?? ''}`;
}

/**
 * Returns the parts of a path, without the prefix of any version: the paths of the service are distinguished by the
 * rest.
 */
const partsOf = (path: string): string[] => path.replace(/^(?:\/api)?(?:\/v\d+(?:\.\d+)?)?(?:\/|$)/i, '').split('/');

const preferMethod = (method: string, routes: readonly ServedRoute[]): ServedRoute | undefined =>
  routes.find((route) => route.method === method) ?? routes[0];

type PartDistance = (served: string, sent: string) => number;

const differsInCase: PartDistance = (served, sent) => (served.toLowerCase() === sent.toLowerCase() ? 0 : Infinity);

/** A part that is like no part of a path keeps the whole path from being suggested. */
const differsInLetters: PartDistance = (served, sent) =>
  closestName(sent, [served]) === undefined ? Infinity : distance(served.toLowerCase(), sent.toLowerCase());

/** Returns how far a served path is from the parts that were sent: the sum over its parts. */
function distanceFrom(served: string, sent: readonly string[], of: PartDistance): number {
  const parts = partsOf(served);
  if (parts.length !== sent.length) return Infinity;
  return parts.reduce(
    (sum, part, i) => sum + (isParameter(part) ? valueDistance(sent[i], served) : of(part, sent[i] ?? '')),
    0,
  );
}

/** A word in the place of an id is most likely another path. */
const wordForValue = 0.1;

const valueDistance = (sent: string | undefined, served: string): number =>
  isValue(sent ?? '') || served.startsWith('/__admin') ? 0 : wordForValue;

const isParameter = (part: string): boolean => part.startsWith('{');
const isValue = (part: string): boolean => /[\d@%]/.test(part);

function similarRoute(
  sent: readonly string[],
  method: string,
  routes: readonly ServedRoute[],
): ServedRoute | undefined {
  const distances = routes.map(({ served }) => similarity(served, sent));
  const least = Math.min(...distances);
  return least === Infinity
    ? undefined
    : preferMethod(
        method,
        routes.filter((_, i) => distances[i] === least),
      );
}

/** Counts a part of the served path that was left out as so many letters. */
const missingPart = 6;

/** Returns how far a served path is, also where one of its words was left out. */
function similarity(served: string, sent: readonly string[]): number {
  const parts = served.split('/');
  const shorter = parts
    .flatMap((part, i) => (part === '' || isParameter(part) ? [] : [parts.toSpliced(i, 1).join('/')]))
    .filter((path) => partsOf(path).some((part) => part !== '' && !isParameter(part)));
  const whole = distanceFrom(served, sent, differsInLetters);
  return Math.min(
    // Nothing but a word for a value: that is no typo.
    whole > 0 && whole < 1 ? Infinity : whole,
    ...shorter
      .map((path) => missingPart + distanceFrom(path, sent, differsInLetters))
      .filter((total) => Number.isInteger(total)),
  );
}
