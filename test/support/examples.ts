import type { Example } from '../../src/core/endpoint.ts';

/** The path and query that an example calls. */
export function calledPath(path: string, { params = {}, query }: Example): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  return query ? `${filled}?${new URLSearchParams(query)}` : filled;
}
