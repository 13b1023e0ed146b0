/** Reads paths to values in a body: `contact.matchKey`, `items[0].sku`, `items[*].sku`, `[*].contactId`. */

/** Holds a field's name, a place in a list, or any place of it. */
type PathSegment = string | number;

const anyPlace = '*';
const stepPattern = /\.?([^.[\]]+)|\[(\d+|\*)\]|\["([^"]*)"\]/gy;

export interface JsonPathQuery {
  readonly text: string;
  /** Names the place, however it is spelled. */
  readonly key: string;
  /** True when there is one value at the most. */
  readonly isSingle: boolean;
  /** Returns every value that stands there; none when there is nothing. */
  readonly valuesIn: (body: unknown) => readonly unknown[];
}

/** Reads a path; undefined when it isn't one. A `$` in front stands for the body itself. */
export function compileJsonPath(text: string): JsonPathQuery | undefined {
  const steps = stepsOf(text.replace(/^\$(?=$|[.[])/, '').replace(/^\.(?=[^.[])/, ''));
  if (!steps) return undefined;
  const places = steps.map(({ step }) => step);
  return steps.some(({ isAny }) => isAny)
    ? { text, key: `values at ${JSON.stringify(steps)}`, isSingle: false, valuesIn: (body) => allAt([body], steps) }
    : { text, key: `value at ${JSON.stringify(places)}`, isSingle: true, valuesIn: (body) => onlyAt(body, places) };
}

interface ReadStep {
  readonly step: PathSegment;
  readonly isAny: boolean;
}

function stepsOf(text: string): ReadStep[] | undefined {
  const found = [...text.matchAll(stepPattern)];
  const isWhole = found.reduce((length, [part]) => length + part.length, 0) === text.length && !text.startsWith('.');
  if (!isWhole) return undefined;
  return found.map(([, name, place, quoted]) => {
    if (place === undefined) return { step: name ?? quoted ?? '', isAny: false };
    return { step: place === anyPlace ? anyPlace : Number(place), isAny: place === anyPlace };
  });
}

const innerOf = (value: unknown, step: PathSegment): unknown => {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
  // Any key that an object has may be asked of it.
  return (value as Readonly<Record<PathSegment, unknown>>)[step];
};

function onlyAt(body: unknown, places: readonly PathSegment[]): readonly unknown[] {
  let value = body;
  for (const place of places) value = innerOf(value, place);
  return value === undefined ? [] : [value];
}

const allAt = (bodies: readonly unknown[], steps: readonly ReadStep[]): readonly unknown[] =>
  steps.reduce<readonly unknown[]>(
    (values, { step, isAny }) =>
      values.flatMap((value) => {
        if (isAny) return Array.isArray(value) ? value : [];
        const inner = innerOf(value, step);
        return inner === undefined ? [] : [inner];
      }),
    bodies,
  );
