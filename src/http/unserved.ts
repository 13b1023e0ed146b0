import type { Refusal } from '../core/errors.ts';
import { nearest } from '../core/warning.ts';
import { refusal } from '../resources/refusals.ts';
import type { AppContext } from './context.ts';
import { matchPath } from './routes.ts';

/** A path with `{params}` and a method that it is served with. */
interface Route {
  readonly method: string;
  readonly served: string;
}

/** Says what would have been served instead: other methods of the path, or the nearest path. */
export function unserved(
  c: AppContext,
  routes: readonly Route[],
): { readonly refused: Refusal; readonly near: string | undefined } {
  const { path, method } = c.req;
  const others = routes.filter(({ served }) => matchPath(served, path));
  if (others.length > 0) {
    const allow = [...new Set(others.map((route) => route.method))].join(', ');
    const message = `${path} is not served with ${method}, only with ${allow}.`;
    return { refused: refusal('MethodNotAllowed', { message, headers: { allow } }), near: nameOf(others[0]) };
  }
  const near = nearestRoute({ path, method }, routes);
  const message = `${method} ${path} is not served here${nearHint(path, near)}.`;
  return { refused: refusal('EndpointNotFound', { message }), near: nameOf(near) };
}

const nameOf = (route: Route | undefined): string | undefined => route && `${route.method} ${route.served}`;

interface Called {
  readonly path: string;
  readonly method: string;
}

function nearestRoute({ path, method }: Called, routes: readonly Route[]): Route | undefined {
  const tidied = tidy(path);
  const meant = routes.filter(({ served }) => isMeant(served, tidied));
  return meant.find((route) => route.method === method) ?? meant[0] ?? similarRoute({ path: tidied, method }, routes);
}

/** Slashes twice, at the end or encoded come from putting a base address and a path together. */
const tidy = (path: string): string =>
  path
    .replaceAll(/%2f/gi, '/')
    .replaceAll(/\/{2,}/g, '/')
    .replace(/(.)\/$/, '$1');

/** What is easily overlooked in a path that is all but right. */
const slips: readonly { readonly way: string; readonly isIn: (path: string, served: string) => boolean }[] = [
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

function nearHint(path: string, route: Route | undefined): string {
  if (!route) return '; /__admin/docs shows what is';
  const slip = slips.find(({ isIn }) => isIn(path, route.served));
  return `; the nearest endpoint is ${nameOf(route)}${slip?.way ?? ''}`;
}

/** Whether a path was called but for its case or the prefix that every path starts with. */
const isMeant = (served: string, path: string): boolean =>
  [path, `/api/v3${path}`].some((called) => matchPath(served.toLowerCase(), called.toLowerCase()));

function similarRoute({ path, method }: Called, routes: readonly Route[]): Route | undefined {
  const sent = path.split('/').map((part) => (isValue(part) ? '{}' : part));
  const shapes = routes.map(({ served }) => shapeBeside(sent, served.split('/')));
  const near = nearest(sent.join('/'), shapes);
  const similar = routes.filter((_, i) => shapes[i] === near);
  return similar.find((route) => route.method === method) ?? similar[0];
}

const isValue = (part: string): boolean => /\d/.test(part) && !/^v\d$/i.test(part);

/** A pattern to be compared with what was sent: `{params}` are no difference, whatever stands in their place. */
const shapeBeside = (sent: readonly string[], parts: readonly string[]): string =>
  parts.map((part, i) => (part.startsWith('{') ? (parts.length === sent.length && sent[i]) || '{}' : part)).join('/');
