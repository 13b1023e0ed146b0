import type { Endpoint } from '../../core/exchange/endpoint.ts';

/** A path with `{params}` as the router writes it. */
export const routePath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1');

/** Whether a served path, with `{params}`, is the one that was called. */
export function matchPath(served: string, called: string): boolean {
  const [parts, sent] = [served.split('/'), called.split('/')];
  return (
    parts.length === sent.length && parts.every((part, i) => (part.startsWith('{') ? sent[i] !== '' : part === sent[i]))
  );
}

/** The router takes the first route that fits, so fixed paths stand before those with parameters. */
export const registrationOrder = (a: Pick<Endpoint, 'path'>, b: Pick<Endpoint, 'path'>): number =>
  compare(paramPositions(a.path), paramPositions(b.path));

// localeCompare would load the rules of all languages: 6 ms of every start.
const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** `0` for a fixed part, `1` for a parameter: fixed ones sort first, part by part. */
const paramPositions = (path: string): string =>
  path
    .split('/')
    .map((part) => (part.startsWith('{') ? '1' : '0'))
    .join('');
