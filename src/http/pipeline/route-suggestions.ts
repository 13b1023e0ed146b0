import type { Endpoint } from '../../core/exchange/endpoint.ts';
import type { ApiError } from '../../core/exchange/api-error.ts';
import { fillParameters, pathParameters } from '../../core/exchange/path-template.ts';
import { closestName } from '../../core/lib/suggest.ts';
import { apiError } from '../../service/errors/catalog.ts';
import type { AppContext } from '../context.ts';

/** Pairs a path that has `{params}` with a method that it is served with. */
interface ServedRoute {
  readonly method: string;
  readonly served: string;
}

/** Creates the error for a request that no endpoint serves; the journal records the nearest one. */
export function unknownRouteError(c: AppContext, endpoints: readonly Endpoint[]): ApiError {
  const routes = endpoints.flatMap(({ method, path, aliases = [] }) =>
    [path, ...aliases].map((served) => ({ method, served })),
  );
  const { error, suggestion } = suggestRoute(c, routes);
  c.get('exchange').nearest = suggestion;
  return error;
}

/** Suggests what is served instead: other methods of the path, or the nearest path. */
export function suggestRoute(
  c: AppContext,
  routes: readonly ServedRoute[],
): { readonly error: ApiError; readonly suggestion: string | undefined } {
  const { path, method } = c.req;
  const others = routes.filter(({ served }) => pathParameters(served, path) !== undefined);
  if (others.length > 0) {
    const allow = [...new Set(others.map((route) => route.method))].join(', ');
    const message = `${path} is not served with ${method}, only with ${allow}.`;
    return {
      error: apiError('MethodNotAllowed', { message, headers: { allow } }),
      suggestion: routeLabel(others[0]),
    };
  }
  const nearest = nearestRoute({ path, method }, routes);
  const message = `${method} ${path} is not served here${nearestHint(path, nearest)}.`;
  return { error: apiError('EndpointNotFound', { message }), suggestion: routeLabel(nearest) };
}

const routeLabel = (route: ServedRoute | undefined): string | undefined => route && `${route.method} ${route.served}`;

interface RequestLine {
  readonly path: string;
  readonly method: string;
}

function nearestRoute({ path, method }: RequestLine, routes: readonly ServedRoute[]): ServedRoute | undefined {
  const normalized = normalizePath(path);
  const alike = routes.filter(({ served }) => matchesIgnoringCase(served, normalized));
  return (
    alike.find((route) => route.method === method) ?? alike[0] ?? similarRoute({ path: normalized, method }, routes)
  );
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

/** True when only the case differs, or the prefix that every path starts with is missing. */
const matchesIgnoringCase = (served: string, path: string): boolean =>
  [path, `/api/v3${path}`].some((called) => pathParameters(served.toLowerCase(), called.toLowerCase()) !== undefined);

function similarRoute({ path, method }: RequestLine, routes: readonly ServedRoute[]): ServedRoute | undefined {
  const sent = path.split('/').map((part) => (isValue(part) ? '{}' : part));
  const shapes = routes.map(({ served }) => fillParameters(served, sent));
  const closest = closestName(sent.join('/'), shapes);
  const similar = routes.filter((_, i) => shapes[i] === closest);
  return similar.find((route) => route.method === method) ?? similar[0];
}

const isValue = (part: string): boolean => /\d/.test(part) && !/^v\d$/i.test(part);
