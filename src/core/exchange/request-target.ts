/** Spells in one way what a request is sent to, so that two spellings of one thing are equal. */
import type { Endpoint } from './endpoint.ts';
import type { Exchange } from './exchange.ts';
import { decodePart, fillPathTemplate, pathParameters } from './path-template.ts';
import { memoizeRecent } from '../lib/memoize-recent.ts';

type Served = Pick<Endpoint, 'path' | 'aliases'>;

/**
 * Returns the path and the query of a request as the service understands them, whatever their spelling: escapes, the case of
 * GUIDs, the other paths of an endpoint, parameters without a value and the order of the others. Several values
 * of one parameter keep their order.
 */
export function targetOf({ path, query }: Pick<Exchange, 'path' | 'query'>, served?: Served): string {
  const [spelled, parameters] = [withMainPath(spellPath(path), served), spellQuery(query)];
  return parameters === '' ? spelled : `${spelled}?${parameters}`;
}

const upperGuid = /(?<![\da-z])[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}(?![\da-z])/giu;

const withLowerGuids = (text: string): string =>
  /[A-F]/u.test(text) ? text.replaceAll(upperGuid, (guid) => guid.toLowerCase()) : text;

/** Matches a path without anything that could be written in another way. */
const plainPath = /^[\w\-.!~*'()/]*$/u;

function spellPath(path: string): string {
  const parts = plainPath.test(path) ? [path] : path.split('/').map((part) => encodeURIComponent(decodePart(part)));
  return withLowerGuids(parts.join('/'));
}

/** Returns the endpoint's own path for one of its others. */
function withMainPath(path: string, { path: main, aliases = [] }: Served = { path: '' }): string {
  for (const alias of aliases) {
    const params = pathParameters(alias, path);
    if (params) return fillPathTemplate(main, (name) => params[name] ?? '');
  }
  return path;
}

/** Matches one parameter with a plain value, which has no other spelling. */
const plainParameter = /^\w+=[\w.-]+$/u;

const spellQuery = memoizeRecent(function spellQuery(query: string): string {
  const spelled = withLowerGuids(query);
  if (spelled === '' || plainParameter.test(spelled)) return spelled;
  // The service takes a parameter without a value for none.
  const sent = [...new URLSearchParams(spelled)].filter(([, value]) => value !== '');
  const sorted = new URLSearchParams(sent.toSorted(([a], [b]) => (a < b ? -1 : Number(a > b))));
  return withLowerGuids(sorted.toString());
});
