/** Which endpoint serves a path, by the list of endpoints alone. */
import type { Endpoint } from '../core/exchange/endpoint.ts';
import { endpoints } from './endpoints.ts';

interface EndpointMatch {
  readonly endpoint: Endpoint;
  readonly params: Readonly<Record<string, string>>;
}

/** Undefined when nothing is served there with this method. */
export function findEndpoint(method: string, path: string): EndpointMatch | undefined {
  const found = endpoints
    .filter((endpoint) => endpoint.method === method)
    .flatMap((endpoint) => {
      const params = [endpoint.path, ...(endpoint.aliases ?? [])].map((served) => paramsIn(served, path));
      return params.flatMap((some) => (some ? [{ endpoint, params: some }] : []));
    });
  // A fixed path stands before one with parameters.
  return found.toSorted((a, b) => Object.keys(a.params).length - Object.keys(b.params).length)[0];
}

function paramsIn(served: string, path: string): Record<string, string> | undefined {
  const [parts, sent] = [served.split('/'), path.split('/')];
  const fits = parts.length === sent.length && parts.every((part, i) => part === sent[i] || isParam(part, sent[i]));
  if (!fits) return undefined;
  const pairs = parts.flatMap((part, i) =>
    part.startsWith('{') ? [[part.slice(1, -1), decoded(sent[i])] as const] : [],
  );
  return Object.fromEntries(pairs);
}

const isParam = (part: string, sent: string | undefined): boolean => part.startsWith('{') && sent !== '';

function decoded(part = ''): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
