import type { Endpoint } from '../core/exchange/endpoint.ts';
import { pathParameters } from '../core/exchange/path-template.ts';
import { endpoints } from './endpoints.ts';

interface EndpointMatch {
  readonly endpoint: Endpoint;
  readonly params: Readonly<Record<string, string>>;
}

/** Returns the endpoint that serves a path with its parameters; undefined when nothing is served with this method. */
export function findEndpoint(method: string, path: string): EndpointMatch | undefined {
  const found = endpoints
    .filter((endpoint) => endpoint.method === method)
    .flatMap((endpoint) => {
      const params = endpointParameters(endpoint, path);
      return params ? [{ endpoint, params }] : [];
    });
  // A fixed path stands before one with parameters.
  return found.toSorted((a, b) => Object.keys(a.params).length - Object.keys(b.params).length)[0];
}

/** Returns the parameters of a path by the template or alias of an endpoint that it matches. */
function endpointParameters(
  { path: template, aliases = [] }: Pick<Endpoint, 'path' | 'aliases'>,
  path: string,
): Record<string, string> | undefined {
  for (const served of [template, ...aliases]) {
    const params = pathParameters(served, path);
    if (params) return params;
  }
  return undefined;
}
