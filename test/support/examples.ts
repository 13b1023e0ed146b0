import { fillPathTemplate } from '../../src/core/exchange/path-template.ts';
import type { EndpointExample } from '../../src/core/exchange/endpoint.ts';

/** Returns the path and query that an example calls. */
export function calledPath(path: string, { params = {}, query }: EndpointExample): string {
  const filled = fillPathTemplate(path, (name) => params[name] ?? '');
  return query ? `${filled}?${new URLSearchParams(query)}` : filled;
}
