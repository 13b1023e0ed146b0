/** Keeps the bodies made of rows, with their texts: a row never changes, and clients read the same few over and over. */

interface ReusableBody {
  /** Names the variants of the assumptions that the body was made by: tenants share rows. */
  readonly variant: string;
  readonly body: object;
}

/** Limits how many bodies are kept: with the next one, all are forgotten. */
const maxKept = 5000;

let bodies = new WeakMap<object, ReusableBody>();
let texts = new WeakMap<object, string>();
let count = 0;

/** Returns the body that `serialize` makes of a row: the one made before, if it was by the same variants. */
export function reusableBody(row: object, variant: string, serialize: () => object): object {
  const known = bodies.get(row);
  if (known?.variant === variant) return known.body;
  const body = serialize();
  if (++count > maxKept) [bodies, texts, count] = [new WeakMap(), new WeakMap(), 1];
  bodies.set(row, { variant, body });
  texts.set(body, '');
  return body;
}

/** Returns the text of a body that is kept: empty until it was asked for. */
const keptText = (body: unknown): string | undefined =>
  typeof body === 'object' && body !== null ? texts.get(body) : undefined;

/** True when the text of a body need not be written. */
export const hasText = (body: unknown): boolean => Boolean(keptText(body));

/** Returns a body as JSON; the text of one that may come again is kept. */
export function jsonText(body: unknown): string {
  const known = keptText(body);
  if (known) return known;
  const text = JSON.stringify(body);
  if (known === '') texts.set(body as object, text);
  return text;
}
