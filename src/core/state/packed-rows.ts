/**
 * Keeps the rows of a large table as JSON text in buffers, and makes an object of a row when somebody looks at it: the
 * objects of a hundred thousand contacts take four times the memory, and the garbage collector walks through them all.
 */

const chunkLength = 4 * 1024 * 1024;

/** Holds numbers in a list that grows. */
export class NumberList<List extends Float64Array | Uint32Array> {
  #values: List;
  #length = 0;
  readonly #create: (length: number) => List;

  constructor(create: (length: number) => List) {
    this.#create = create;
    this.#values = create(1024);
  }

  get length(): number {
    return this.#length;
  }

  push(value: number): void {
    if (this.#length === this.#values.length) {
      const larger = this.#create(2 * this.#length);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.#length++] = value;
  }

  at(index: number): number {
    return this.#values[index] as number;
  }

  /** Returns the numbers, in as much memory as they need. */
  finish(): List {
    const values = this.#create(this.#length);
    values.set(this.#values.subarray(0, this.#length) as never);
    return values;
  }
}

export const float64List = (): NumberList<Float64Array> => new NumberList((length) => new Float64Array(length));
export const uint32List = (): NumberList<Uint32Array> => new NumberList((length) => new Uint32Array(length));

const encoder = new TextEncoder();

/** Collects texts in buffers of one size. A text lies in one of them, so that it can be read at once. */
export class TextCollector {
  readonly #chunks: Buffer[] = [];
  readonly #starts = float64List();
  readonly #ends = float64List();
  readonly #others = new Map<number, string>();
  #end = 0;

  get length(): number {
    return this.#starts.length;
  }

  add(text: string): void {
    // What UTF-8 can't hold, and what has no room in a buffer, stays as it is.
    const isOther = text.length * 3 > chunkLength || !text.isWellFormed();
    if (isOther) this.#others.set(this.length, text);
    // Most texts are ASCII, and their length need not be counted.
    else if (this.#room() < text.length * 3 && this.#room() < Buffer.byteLength(text)) this.#addChunk();
    this.#starts.push(this.#end);
    if (!isOther && text !== '') this.#end += this.#write(text);
    this.#ends.push(this.#end);
  }

  /** Adds a text of which these are the bytes in UTF-8. */
  addBytes(bytes: Uint8Array): void {
    const isOther = bytes.length > chunkLength;
    if (isOther) this.#others.set(this.length, Buffer.from(bytes).toString());
    else if (this.#room() < bytes.length) this.#addChunk();
    this.#starts.push(this.#end);
    if (!isOther) {
      this.#chunks.at(-1)?.set(bytes, this.#end % chunkLength);
      this.#end += bytes.length;
    }
    this.#ends.push(this.#end);
  }

  finish(): PackedTextsParts {
    const last = this.#chunks.pop();
    const before = this.#chunks.length * chunkLength;
    // All of it is kept, and written to files: in as much memory as it needs.
    if (last) this.#chunks.push(Buffer.from(last.subarray(0, this.#end - before)));
    return { chunks: this.#chunks, starts: this.#starts.finish(), ends: this.#ends.finish(), others: this.#others };
  }

  #write(text: string): number {
    const chunk = this.#chunks.at(-1) as Buffer;
    // A buffer's own `write` takes three times as long where a text isn't all ASCII.
    return encoder.encodeInto(text, chunk.subarray(chunk.length - this.#room())).written;
  }

  #room(): number {
    return this.#chunks.length * chunkLength - this.#end;
  }

  #addChunk(): void {
    this.#end = this.#chunks.length * chunkLength;
    this.#chunks.push(Buffer.alloc(chunkLength));
  }
}

export interface PackedTextsParts {
  readonly chunks: readonly Buffer[];
  /** Holds where each text begins, and where it ends, counted through all chunks. */
  readonly starts: Float64Array;
  readonly ends: Float64Array;
  readonly others: ReadonlyMap<number, string>;
}

/** Holds texts in buffers. */
export class PackedTexts {
  readonly #parts: PackedTextsParts;

  constructor(parts: PackedTextsParts) {
    this.#parts = parts;
  }

  at(index: number): string {
    const { chunks, starts, ends, others } = this.#parts;
    const [start, end] = [starts[index] as number, ends[index] as number];
    if (start === end) return others.get(index) ?? '';
    const chunk = Math.floor(start / chunkLength);
    const before = chunk * chunkLength;
    return (chunks[chunk] as Buffer).toString('utf8', start - before, end - before);
  }
}

export interface PackedRowsParts {
  readonly texts: PackedTextsParts;
  /** Holds the rows that JSON can't hold, such as one with the number -0. */
  readonly others: ReadonlyMap<number, object>;
  /** Puts what is noted otherwise into the JSON of a row. */
  readonly revise?: (json: string) => string;
}

/** Holds rows as JSON; the same row is the same object for as long as somebody holds it. */
export class PackedRows {
  readonly #texts: PackedTexts;
  readonly #others: PackedRowsParts['others'];
  readonly #revise: (json: string) => string;
  readonly #seen = new Map<number, WeakRef<object>>();

  constructor({ texts, others, revise = (json) => json }: PackedRowsParts) {
    this.#texts = new PackedTexts(texts);
    this.#others = others;
    this.#revise = revise;
  }

  at(index: number): object {
    const known = this.#known(index);
    if (known) return known;
    const row = this.#parse(index);
    this.#seen.set(index, new WeakRef(row));
    return row;
  }

  /** Returns a row for somebody who looks at it once. */
  peekAt(index: number): object {
    return this.#known(index) ?? this.#parse(index);
  }

  #known(index: number): object | undefined {
    return this.#others.get(index) ?? this.#seen.get(index)?.deref();
  }

  #parse(index: number): object {
    return JSON.parse(this.#revise(this.#texts.at(index)));
  }
}

/** Collects rows as JSON. */
export class RowCollector {
  readonly #texts = new TextCollector();
  readonly #others = new Map<number, object>();

  add(row: object): void {
    if (!isJson(row)) this.#others.set(this.#texts.length, row);
    this.#texts.add(JSON.stringify(row));
  }

  finish(): PackedRowsParts {
    return { texts: this.#texts.finish(), others: this.#others };
  }
}

/** True when a value comes back from JSON as it went in; a field without a value counts as none. */
function isJson(value: unknown): boolean {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return true;
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0);
  if (typeof value !== 'object') return false;
  if (Array.isArray(value)) return value.every(isJson);
  // Rows are plain objects, and none of their fields is inherited.
  const fields = value as Readonly<Record<string, unknown>>;
  for (const name in fields) if (fields[name] !== undefined && !isJson(fields[name])) return false;
  return true;
}
