/** Finds the keys of operations: several requests with one key are attempts of one operation. */
import type { Endpoint } from './endpoint.ts';
import { parseWithinBounds } from '../validation/extent.ts';
import type { Exchange } from './exchange.ts';
import { targetOf } from './request-target.ts';
import { memoizeRecent } from '../lib/memoize-recent.ts';
import { Portion, sortInSteps } from '../time/steps.ts';
import type { Steps } from '../time/steps.ts';

/** A caller that sends it says itself which requests belong together. */
const testIdHeader = 'x-sim-test-id';

export interface OperationKey {
  readonly text: string;
  /** Holds the source of the key: the caller's header, a key such as uniqueReceiptId, or the content. */
  readonly by: 'test-id' | 'own-key' | 'content';
  /** Holds the value of the header or of the call's own key, unless that is its path. */
  readonly value: string | undefined;
}

type KeyedRequest = Pick<Exchange, 'method' | 'path' | 'query' | 'request'> & Partial<Pick<Exchange, 'response'>>;

type KeyedEndpoint = Pick<Endpoint, 'id' | 'idempotencyKey' | 'path' | 'aliases'>;

/** Returns the key of a request: by test-id header, else the call's own key, else endpoint, path, query and content. */
export function operationKey(keyed: KeyedRequest, endpoint?: KeyedEndpoint): OperationKey {
  const named = namedKey(keyed, endpoint);
  if (named) return named;
  return keyByContent(keyed, endpoint, normalizedContent(keyed.request.body));
}

/** Does as `operationKey`, in steps, for a request with a long body that was parsed before. */
export function* operationKeyInSteps(
  keyed: KeyedRequest,
  endpoint: KeyedEndpoint | undefined,
  parsed: unknown,
): Steps<OperationKey> {
  const body = parsed === undefined ? keyed.request.body : parsed;
  const named = namedKey(keyed, endpoint, () => body);
  if (named) return named;
  const portion = new Portion();
  if (!Array.isArray(body)) return keyByContent(keyed, endpoint, yield* canonicalJsonInSteps(body, portion));
  const items: string[] = [];
  for (const item of body) items.push(yield* canonicalJsonInSteps(item, portion));
  const sorted = yield* sortInSteps(items, (a, b) => (a < b ? -1 : Number(a > b)));
  return keyByContent(keyed, endpoint, `[${sorted.join(',')}]`);
}

const keyByContent = (keyed: KeyedRequest, endpoint: KeyedEndpoint | undefined, content: string): OperationKey => ({
  text: `${keyed.method} ${targetOf(keyed, endpoint)} ${content}`,
  by: 'content',
  value: undefined,
});

/** Returns the key of a request that names one; undefined where its content is its key, which may be long. */
export function namedKey(
  keyed: KeyedRequest,
  endpoint?: KeyedEndpoint,
  bodyOf = parseJsonBody,
): OperationKey | undefined {
  const named = endpoint?.id ?? keyed.method;
  const testId = keyed.request.headers[testIdHeader];
  if (testId !== undefined) return { text: `${named} test-id ${testId}`, by: 'test-id', value: testId };
  const own =
    endpoint?.idempotencyKey === undefined ? undefined : idempotencyKeyOf(keyed, endpoint.idempotencyKey, bodyOf);
  if (own === undefined) return undefined;
  // The path says it already.
  const value = endpoint?.idempotencyKey === 'path' ? undefined : own;
  return { text: `${named} ${endpoint?.idempotencyKey} ${own}`, by: 'own-key', value };
}

/** Returns the key that a request carries in the place that its endpoint names. */
export function idempotencyKeyOf(
  keyed: KeyedRequest,
  ownKey: NonNullable<Endpoint['idempotencyKey']>,
  bodyOf = parseJsonBody,
): string | undefined {
  if (ownKey === 'path') return targetOf(keyed);
  const { request, response } = keyed;
  const [place, name] = [ownKey.slice(0, ownKey.indexOf('.')), ownKey.slice(ownKey.indexOf('.') + 1)];
  // The service takes an empty header for none.
  if (place === 'header') return request.headers[name] || undefined;
  // What the service has accepted is JSON, and not nested too deeply.
  const found = response && response.status < 300 ? textFieldOf(request.body ?? '', name) : undefined;
  if (found !== undefined) return found;
  const body = bodyOf(request.body);
  const value = typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[name] : undefined;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

/**
 * Returns the text of a field of a JSON object without parsing it, which costs many times as much; undefined where that
 * is not simple: with an escape, when the name is there twice or inside of something else, or for another value.
 */
function textFieldOf(json: string, name: string): string | undefined {
  const quoted = `"${name}"`;
  const at = json.indexOf(quoted);
  if (at < 0 || json.includes('\\') || json.includes(quoted, at + 1) || depthAt(json, at) !== 1) return undefined;
  fieldText.lastIndex = at + quoted.length;
  return fieldText.exec(json)?.[1];
}

/** Reads a text after the name of its field. */
const fieldText = /\s*:\s*"([^"]*)"/uy;

/** Returns how many objects are open at a place of a JSON text without escapes; none in a list or in a text. */
function depthAt(json: string, place: number): number {
  let depth = 0;
  let isText = false;
  for (let i = 0; i < place; i++) {
    const char = json[i];
    if (char === '"') isText = !isText;
    else if (isText) continue;
    else if (char === '{') depth++;
    else if (char === '}') depth--;
    else if (char === '[') depth += 1000;
    else if (char === ']') depth -= 1000;
  }
  return isText ? -1 : depth;
}

/**
 * Returns a request's body parsed; the text itself when it isn't JSON, or nested more deeply than can be walked. Attempts
 * of one operation mostly carry the same text, so that they get the same value, which nobody may change.
 */
export const parseJsonBody = memoizeRecent(function parseBody(text: string | undefined): unknown {
  const value = text === undefined ? undefined : parseWithinBounds(text);
  return value === undefined ? text : value;
});

/** Returns a body in a form that ignores the order of fields, and of the rows of a bulk. */
export const normalizedContent = memoizeRecent(function normalizeBody(text: string | undefined): string {
  const body = parseJsonBody(text);
  return Array.isArray(body) ? `[${body.map(canonicalJson).toSorted().join(',')}]` : canonicalJson(body);
});

/** Does as `canonicalJson`, in steps. */
function* canonicalJsonInSteps(value: unknown, portion: Portion): Steps<string> {
  if (typeof value !== 'object' || value === null) return canonicalJson(value);
  const parts: string[] = [];
  const names = Array.isArray(value) ? value.keys() : Object.keys(value).toSorted();
  for (const name of names) {
    const inner: unknown = (value as Record<PropertyKey, unknown>)[name];
    const text = yield* canonicalJsonInSteps(inner, portion);
    parts.push(Array.isArray(value) ? text : `${JSON.stringify(name)}:${text}`);
    if (portion.isFullWith(text.length)) yield;
  }
  return Array.isArray(value) ? `[${parts.join(',')}]` : `{${parts.join(',')}}`;
}

const isContainer = (value: unknown): boolean => typeof value === 'object' && value !== null;

/** Returns JSON with the names of every object in order, so that the same content is the same text. */
export function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? '';
  if (Array.isArray(value))
    return value.some(isContainer) ? `[${value.map(canonicalJson).join(',')}]` : JSON.stringify(value);
  let text = '';
  for (const name of Object.keys(value).toSorted())
    text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${canonicalJson((value as Record<string, unknown>)[name])}`;
  return `{${text}}`;
}
