/** Compares the contents of requests. */
import { parseTimestamp, toTimestamp } from '../../core/time/clock.ts';
import type { Endpoint } from '../../core/exchange/endpoint.ts';
import type { Exchange } from '../../core/exchange/exchange.ts';
import { targetOf } from '../../core/exchange/request-target.ts';
import { canonicalJson, idempotencyKeyOf, parseJsonBody } from '../../core/exchange/operation-key.ts';

interface ContentOptions {
  readonly endpoint: Endpoint | undefined;
  /** Lists the fields that may differ, by JSON path. */
  readonly ignoreFields: readonly string[];
}

/** Returns a request's path, query and body without its own key, time stamps and the fields that may differ. */
export function comparableContent(exchange: Exchange | undefined, reading: ContentOptions): string {
  return exchange ? `${targetOf(exchange, reading.endpoint)} ${contentOf(exchange, reading).timelessText}` : '';
}

/** Returns the fields in which two bodies differ, except their own keys and the fields that may differ; rows may come in any order. */
export function differingFields(a: Exchange, b: Exchange, reading: ContentOptions): string[] {
  if (a.request.body === b.request.body) return [];
  const [left, right] = [partsOf(a, reading), partsOf(b, reading)];
  const [gone, come] = [without(left, right), without(right, left)];
  const pairs = Array.from({ length: Math.max(gone.length, come.length) }, (_, i) => [gone[i], come[i]] as const);
  return pairs.flatMap(([before, after]) => differingPaths(before?.fields ?? [], after?.fields ?? []));
}

function differingPaths(before: readonly Field[], after: readonly Field[]): string[] {
  const [left, right] = [before, after].map((part) => new Map(part.map((field) => [inRow(field[0]), field])));
  // A field of both bodies is named by its path in the second.
  const paths = new Map([...before, ...after].map(([path]) => [inRow(path), path]));
  return [...paths].flatMap(([name, path]) => (isSame(left?.get(name), right?.get(name)) ? [] : [path]));
}

/** True when a field holds the same in both bodies: as it was sent, or the own key of each. */
const isSame = (before: Field | undefined, after: Field | undefined): boolean =>
  canonicalJson(before?.[1]) === canonicalJson(after?.[1]) || canonicalJson(before?.[3]) === canonicalJson(after?.[3]);

/** Describes a field: its path in the body, its value as it is compared, whether that is a time stamp, and its value as it was sent. */
type Field = readonly [path: string, value: unknown, isTime: boolean, sent: unknown];

/** Holds the fields of a body, or of a row of a bulk. */
class Part {
  readonly fields: readonly Field[];
  /** Holds a text for each field. */
  #lines: readonly string[] | undefined;
  #text: string | undefined;
  #timelessText: string | undefined;

  constructor(fields: readonly Field[]) {
    this.fields = fields;
  }

  /** True when the part says when something happened. */
  get isDated(): boolean {
    return this.fields.some(([, , isTime]) => isTime);
  }

  /** Tells whether two parts hold the same. */
  get text(): string {
    return (this.#text ??= joinSorted(this.#written()));
  }

  /** Tells the same but for their time stamps. */
  get timelessText(): string {
    return (this.#timelessText ??= joinSorted(this.#written().filter((_, i) => !this.fields[i]?.[2])));
  }

  #written(): readonly string[] {
    return (this.#lines ??= this.fields.map(([path, value]) => `${inRow(path)}=${canonicalJson(value)}`));
  }
}

/** Returns a field's path in its row. */
const inRow = (path: string): string => (path.startsWith('[') ? path.replace(/^\[\d+\]\.?/, '') : path);

const joinSorted = (lines: readonly string[]): string => lines.toSorted().join('&');

/** Returns the parts that others lack; two equal parts need two in the others. */
function without(parts: readonly Part[], others: readonly Part[]): Part[] {
  const left = new Map<string, number>();
  for (const { text } of others) left.set(text, (left.get(text) ?? 0) + 1);
  return parts.filter(({ text }) => {
    const count = left.get(text) ?? 0;
    left.set(text, count - 1);
    return count <= 0;
  });
}

/** Describes how a body is read: as one that was sent to an endpoint under a key. */
interface BodyReading {
  readonly body: string | undefined;
  readonly endpoint: Endpoint | undefined;
  readonly key: string | undefined;
}

/** Holds a body as it was read, which comes later than its request. */
class ReadContent {
  readonly reading: BodyReading;
  /** Holds a body as one part, a bulk as one part per row. */
  readonly parts: readonly Part[];
  #timelessText: string | undefined;
  #datedRows: readonly string[] | undefined;

  constructor(reading: BodyReading, ignoreFields: readonly string[]) {
    this.reading = reading;
    this.parts = readParts(reading, ignoreFields);
  }

  /** Tells whether two bodies hold the same but for their keys, time stamps and the order of their rows. */
  get timelessText(): string {
    return (this.#timelessText ??= this.parts
      .map((part) => part.timelessText)
      .toSorted()
      .join('\n'));
  }

  /** Lists a text for each part that says when it happened. */
  get datedRows(): readonly string[] {
    const { endpoint } = this.reading;
    return (this.#datedRows ??= this.parts.filter((part) => part.isDated).map(({ text }) => `${endpoint?.id} ${text}`));
  }
}

/** Holds what was read: several rules compare the same requests, and attempts of one operation mostly carry the same text. */
interface ReadContents {
  readonly byExchange: Map<Exchange, ReadContent>;
  readonly byBody: Map<string | undefined, ReadContent>;
}

/** Holds it by the fields that may differ, as long as somebody judges by them. */
const contentsRead = new WeakMap<readonly string[], ReadContents>();

function beginReading(ignoreFields: readonly string[]): ReadContents {
  const contents = { byExchange: new Map(), byBody: new Map() };
  contentsRead.set(ignoreFields, contents);
  return contents;
}

function contentOf(exchange: Exchange, { endpoint, ignoreFields }: ContentOptions): ReadContent {
  const { body } = exchange.request;
  const all = contentsRead.get(ignoreFields) ?? beginReading(ignoreFields);
  const known = all.byExchange.get(exchange);
  if (known && known.reading.body === body && known.reading.endpoint === endpoint) return known;
  const place = endpoint?.idempotencyKey;
  const key = place === undefined ? undefined : idempotencyKeyOf(exchange, place);
  const alike = all.byBody.get(body);
  const content =
    alike && alike.reading.endpoint === endpoint && alike.reading.key === key
      ? alike
      : new ReadContent({ body, endpoint, key }, ignoreFields);
  all.byExchange.set(exchange, content);
  all.byBody.set(body, content);
  return content;
}

const partsOf = (exchange: Exchange, reading: ContentOptions): readonly Part[] => contentOf(exchange, reading).parts;

/** Reads the parts of a body. Other fields may hold the key too, such as the number of a receipt. */
function readParts({ body: text, key }: BodyReading, ignoreFields: readonly string[]): readonly Part[] {
  const body = parseJsonBody(text);
  const rows = Array.isArray(body) ? body.map((row, i) => fieldsOf(row, `[${i}]`, key)) : [fieldsOf(body, '', key)];
  return rows.map(
    (fields) => new Part(ignoreFields.length === 0 ? fields : fields.filter(([path]) => !isNamed(path, ignoreFields))),
  );
}

/** True when another body holds all of a dated one, or all of its rows, at the same time. */
export const isContainedIn = (part: Exchange, whole: Exchange, reading: ContentOptions): boolean =>
  isDated(part) && without(partsOf(part, reading), partsOf(whole, reading)).length === 0;

/** Returns a text for each row of a body, or for the body as a whole, that says when it happened; equal rows of one endpoint have equal texts. */
export const datedRows = (exchange: Exchange, reading: ContentOptions): readonly string[] =>
  contentOf(exchange, reading).datedRows;

/** True when two bodies are dated, and the first has a time that the second lacks. */
export function namesOtherTime(a: Exchange, b: Exchange, reading: ContentOptions): boolean {
  if (!isDated(a) || !isDated(b)) return false;
  const known = timesIn(b, reading);
  return [...timesIn(a, reading)].some((time) => !known.has(time));
}

const timesIn = (exchange: Exchange, reading: ContentOptions): ReadonlySet<unknown> =>
  new Set(
    partsOf(exchange, reading)
      .flatMap(({ fields }) => fields)
      .flatMap(([, value, isTime]) => (isTime ? [value] : [])),
  );

/** True when a body says when that happened which it is about. */
export const isDated = ({ request }: Exchange): boolean => /"\d{4}-\d\d-\d\dT\d\d:\d\d/.test(request.body ?? '');

/** True when a path is one of the named ones, in which `[*]` is any item, or inside of one; of a bulk, the rows' own fields are named too. */
function isNamed(path: string, names: readonly string[]): boolean {
  const parts = partsOfPath(path);
  const rowParts = parts[0]?.startsWith('[') ? parts.slice(1) : parts;
  return names.map(partsOfPath).some((named) => isAtOrIn(parts, named) || isAtOrIn(rowParts, named));
}

/** Splits `$.items[0].name` into `items`, `[0]` and `name`. */
const partsOfPath = (path: string): readonly string[] => path.replace(/^\$/, '').match(/[^.[\]]+|\[[^\]]*\]/g) ?? [];

const isAtOrIn = (parts: readonly string[], named: readonly string[]): boolean =>
  named.every((name, i) => parts[i] === name || (name === '[*]' && parts[i]?.startsWith('[')));

/** Lists the values of a body, or of the row at a path, that hold no others, each with its path. */
function fieldsOf(body: unknown, path: string, key: string | undefined): Field[] {
  const fields: Field[] = [];
  collectFields(body, path, { key, fields });
  return fields;
}

interface Collected {
  readonly key: string | undefined;
  readonly fields: Field[];
}

function collectFields(value: unknown, path: string, collected: Collected): void {
  const names = typeof value === 'object' && value !== null ? Object.keys(value) : [];
  if (names.length === 0) collected.fields.push(fieldOf(value, path, collected.key));
  for (const name of names) {
    const inner = (value as Record<string, unknown>)[name];
    collectFields(inner, Array.isArray(value) ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`, collected);
  }
}

/** Returns a field as it is compared: a timestamp as its moment, however it is written, and the key as such. */
function fieldOf(value: unknown, path: string, key: string | undefined): Field {
  const held = key === undefined ? undefined : keyHeldBy(value, path, key);
  if (held !== undefined) return [path, held, false, value];
  // A text that begins otherwise is no timestamp.
  const moment = typeof value === 'string' && value[4] === '-' ? parseTimestamp(value) : undefined;
  return moment === undefined ? [path, value, false, value] : [path, toTimestamp(moment), true, value];
}

/** Sets the length from which the end of a key is its number, and not a value that happens to be alike. */
const minKeyNumber = 3;

/** Says that a value is the key of its request, or the number without the store or till that the other begins with: `20391` of `100-20391`. */
function keyHeldBy(value: unknown, path: string, key: string): string | undefined {
  if (String(value) === key) return 'its key';
  // Lines of a receipt have numbers of their own.
  if (typeof value !== 'string' || /[.[]/.test(inRow(path))) return undefined;
  const [number, whole] = value.length < key.length ? [value, key] : [key, value];
  const isNumber = number.length >= minKeyNumber && /\d/.test(number) && whole.endsWith(number);
  return isNumber && /[^\p{L}\d]/u.test(whole.at(-number.length - 1) ?? '') ? 'the number of its key' : undefined;
}
