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
  const near = nameOf(nearestRoute(path, routes));
  const hint = near === undefined ? '' : `; the nearest endpoint is ${near}`;
  return { refused: refusal('EndpointNotFound', { message: `${method} ${path} is not served here${hint}.` }), near };
}

const nameOf = (route: Route | undefined): string | undefined => route && `${route.method} ${route.served}`;

function nearestRoute(path: string, routes: readonly Route[]): Route | undefined {
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
