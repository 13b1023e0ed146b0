import type { EndpointExample } from '../../src/core/exchange/endpoint.ts';

/** Returns the path and query that an example calls. */
export function calledPath(path: string, { params = {}, query }: EndpointExample): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  return query ? `${filled}?${new URLSearchParams(query)}` : filled;
}
