import type { ApiError } from '../../core/exchange/api-error.ts';
import { fillParameters, pathParameters } from '../../core/exchange/path-template.ts';
import { closestName } from '../../core/lib/suggest.ts';
import { apiError } from '../../service/errors/catalog.ts';
import type { AppContext } from '../context.ts';

/** A path with `{params}` and a method that it is served with. */
interface ServedRoute {
  readonly method: string;
  readonly served: string;
}

/** Says what would have been served instead: other methods of the path, or the nearest path. */
export function suggestRoute(
  c: AppContext,
  routes: readonly ServedRoute[],
): { readonly refused: ApiError; readonly near: string | undefined } {
  const { path, method } = c.req;
  const others = routes.filter(({ served }) => pathParameters(served, path) !== undefined);
  if (others.length > 0) {
    const allow = [...new Set(others.map((route) => route.method))].join(', ');
    const message = `${path} is not served with ${method}, only with ${allow}.`;
    return { refused: apiError('MethodNotAllowed', { message, headers: { allow } }), near: routeLabel(others[0]) };
  }
  const near = nearestRoute({ path, method }, routes);
  const message = `${method} ${path} is not served here${nearHint(path, near)}.`;
  return { refused: apiError('EndpointNotFound', { message }), near: routeLabel(near) };
}

const routeLabel = (route: ServedRoute | undefined): string | undefined => route && `${route.method} ${route.served}`;

interface Called {
  readonly path: string;
  readonly method: string;
}

function nearestRoute({ path, method }: Called, routes: readonly ServedRoute[]): ServedRoute | undefined {
  const tidied = normalizePath(path);
  const meant = routes.filter(({ served }) => matchesIgnoringCase(served, tidied));
  return meant.find((route) => route.method === method) ?? meant[0] ?? similarRoute({ path: tidied, method }, routes);
}

/** Slashes twice, at the end or encoded come from putting a base address and a path together. */
const normalizePath = (path: string): string =>
  path
    .replaceAll(/%2f/gi, '/')
    .replaceAll(/\/{2,}/g, '/')
    .replace(/(.)\/$/, '$1');

/** What is easily overlooked in a path that is all but right. */
const typoKinds: readonly { readonly way: string; readonly isIn: (path: string, served: string) => boolean }[] = [
  { way: ', with slashes that are not encoded', isIn: (path) => /%2f/i.test(path) },
  { way: ', with single slashes', isIn: (path) => path.includes('//') },
  { way: ', without the slash at its end', isIn: (path) => path.endsWith('/') },
  { way: ', in these small and capital letters', isIn: isOtherCase },
];

/** Whether a part of the path differs from what is served by nothing but its case. */
function isOtherCase(path: string, served: string): boolean {
  const parts = new Map(served.split('/').map((part) => [part.toLowerCase(), part]));
  return path.split('/').some((part) => (parts.get(part.toLowerCase()) ?? part) !== part);
}

function nearHint(path: string, route: ServedRoute | undefined): string {
  if (!route) return '; /__admin/docs shows what is';
  const slip = typoKinds.find(({ isIn }) => isIn(path, route.served));
  return `; the nearest endpoint is ${routeLabel(route)}${slip?.way ?? ''}`;
}

/** Whether a path was called but for its case or the prefix that every path starts with. */
const matchesIgnoringCase = (served: string, path: string): boolean =>
  [path, `/api/v3${path}`].some((called) => pathParameters(served.toLowerCase(), called.toLowerCase()) !== undefined);

function similarRoute({ path, method }: Called, routes: readonly ServedRoute[]): ServedRoute | undefined {
  const sent = path.split('/').map((part) => (isValue(part) ? '{}' : part));
  const shapes = routes.map(({ served }) => fillParameters(served, sent));
  const near = closestName(sent.join('/'), shapes);
  const similar = routes.filter((_, i) => shapes[i] === near);
  return similar.find((route) => route.method === method) ?? similar[0];
}

const isValue = (part: string): boolean => /\d/.test(part) && !/^v\d$/i.test(part);
