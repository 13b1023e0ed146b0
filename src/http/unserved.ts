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
  const near = nameOf(nearestRoute({ path, method }, routes));
  const hint = near === undefined ? '; /__admin/docs shows what is' : `; the nearest endpoint is ${near}`;
  return { refused: refusal('EndpointNotFound', { message: `${method} ${path} is not served here${hint}.` }), near };
}

const nameOf = (route: Route | undefined): string | undefined => route && `${route.method} ${route.served}`;

interface Called {
  readonly path: string;
  readonly method: string;
}

function nearestRoute({ path, method }: Called, routes: readonly Route[]): Route | undefined {
  const tidied = tidy(path);
  const meant = routes.filter(({ served }) => isMeant(served, tidied));
  return meant.find((route) => route.method === method) ?? meant[0] ?? similarRoute(tidied, routes);
}

/** Slashes twice or at the end come from putting a base address and a path together. */
const tidy = (path: string): string => path.replaceAll(/\/{2,}/g, '/').replace(/(.)\/$/, '$1');

/** Whether a path was called but for its case or the prefix that every path starts with. */
const isMeant = (served: string, path: string): boolean =>
  [path, `/api/v3${path}`].some((called) => matchPath(served.toLowerCase(), called.toLowerCase()));

function similarRoute(path: string, routes: readonly Route[]): Route | undefined {
  // Values in place of {params} would count as differences; the same value in the pattern doesn't.
  const sent = path.split('/');
  const filled = routes.map(({ served }) =>
    served
      .split('/')
      .map((part, i) => (part.startsWith('{') ? (sent[i] ?? part) : part))
      .join('/'),
  );
  const near = nearest(path, filled);
  return routes[near === undefined ? -1 : filled.indexOf(near)];
}
