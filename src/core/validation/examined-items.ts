/**
 * Keeps the parsing of long lists from holding up everybody else. Their items are parsed one by one before the whole is, so that
 * others have their turn in between: the whole then takes what was made of them. Nobody looks at the items of a list that is too
 * long, nor at those that come after thousands of wrong ones.
 */
import * as z from './deferred-zod.ts';
import type { Steps } from '../time/steps.ts';

let isExamining = false;

/** Limits what is looked for that is wrong with a body: a response names the first thousand wrong fields. */
export const maxMistakes = 2000;

/** Counts what is wrong with the items of a body that is being parsed; undefined while nobody wants to stop at some. */
let mistakes: number | undefined;

/** Counts what somebody else found wrong with the body that is being parsed. */
export function countMistakes(found: number): void {
  if (mistakes !== undefined) mistakes += found;
}

/** Parses a value, and says if there may be more that is wrong with it. */
export function parseWithin<Schema extends z.ZodType>(
  schema: Schema,
  sent: unknown,
  messages: z.core.ParseContext<z.core.$ZodIssue>,
): { readonly parsed: z.ZodSafeParseResult<z.output<Schema>>; readonly isCut: boolean } {
  // What is parsed within another value counts with it.
  if (mistakes !== undefined) return { parsed: schema.safeParse(sent, messages), isCut: mistakes > maxMistakes };
  mistakes = 0;
  try {
    const parsed = schema.safeParse(sent, messages);
    if (mistakes <= maxMistakes) return { parsed, isCut: false };
    if (!parsed.success) return { parsed, isCut: true };
  } finally {
    mistakes = undefined;
  }
  // A form that had the wrong items was given up for another one, with items that were passed over.
  return { parsed: schema.safeParse(sent, messages), isCut: false };
}

const simpleTypes: ReadonlySet<string> = new Set(['string', 'number', 'boolean', 'enum']);

const remembering = new WeakSet<z.ZodType>();

/** Returns the schema of the items of a list, which from now on remembers what it made of those that were examined. */
export function rememberExamined<Schema extends z.ZodType>(shared: Schema): Schema {
  if (remembering.has(shared)) return shared;
  // A simple type stands in many places that are no lists.
  const schema = simpleTypes.has(shared._zod.def.type) ? z.clone(shared) : shared;
  remembering.add(schema);
  const { run } = schema._zod;
  const examined = new WeakMap<object, ExaminedItem>();
  const runCounted: typeof run = (payload, context) => {
    const result = run(payload, context);
    if (mistakes !== undefined && !(result instanceof Promise)) mistakes += result.issues.length;
    return result;
  };
  schema._zod.run = (payload, context) => {
    if (mistakes !== undefined && mistakes > maxMistakes) return payload;
    const { value: sent } = payload;
    if (typeof sent !== 'object' || sent === null) return runCounted(payload, context);
    const known = examined.get(sent);
    // What does not fit is parsed again for whoever wants it to be reported in other words.
    if (known && (known.issues.length === 0 || isReportedAlike(known.context, context))) {
      payload.issues.push(...known.issues.map(ownIssue));
      if (mistakes !== undefined) mistakes += known.issues.length;
      return Object.assign(payload, { value: known.value });
    }
    const result = runCounted(payload, context);
    if (isExamining && !(result instanceof Promise))
      examined.set(sent, { value: result.value, issues: result.issues.map(ownIssue), context });
    return result;
  };
  return schema;
}

/** Holds what a schema made of an item, and how it was to report what is wrong with it. */
type ExaminedItem = Pick<z.core.ParsePayload, 'value' | 'issues'> & { readonly context: z.core.ParseContextInternal };

/** True when both want to hear of what is wrong in the same words, with or without its value. */
const isReportedAlike = (one: z.core.ParseContextInternal, other: z.core.ParseContextInternal): boolean =>
  one.error === other.error && Boolean(one.reportInput) === Boolean(other.reportInput);

/** Copies an issue: whoever reports it adds to its path. */
const ownIssue = (issue: z.core.$ZodRawIssue): z.core.$ZodRawIssue => ({ ...issue, path: [...(issue.path ?? [])] });

const examinations = new WeakMap<object, (sent: unknown) => Steps>();

/** Says how a value is examined that a function preprocesses. */
export const examineFor = (preprocess: object, examine: (sent: unknown) => Steps): void =>
  void examinations.set(preprocess, examine);

const anything = z.unknown();

/** Returns what is wrong with the length of lists that are longer than a schema allows, whatever they hold. */
export function findTooLongLists(
  schema: z.core.$ZodType,
  sent: unknown,
  messages: z.core.ParseContext<z.core.$ZodIssue>,
): z.core.$ZodIssue[] {
  if (typeof sent !== 'object' || sent === null) return [];
  // It is one of zod's own.
  const known = schema as z.core.$ZodTypes;
  const { def } = known._zod;
  switch (def.type) {
    case 'array': {
      const most = longestOf(def);
      if (!Array.isArray(sent) || sent.length <= most) return [];
      const list = z.clone(known, { ...def, element: anything });
      return [...(z.safeParse(list, sent.slice(0, most + 1), messages).error?.issues ?? [])];
    }
    case 'object':
      return Object.entries(def.shape).flatMap(([name, field]) =>
        findTooLongLists(field, Object.getOwnPropertyDescriptor(sent, name)?.value, messages).map((issue) =>
          Object.assign(issue, { path: [name, ...issue.path] }),
        ),
      );
    case 'optional':
    case 'nullable':
      return findTooLongLists(def.innerType, sent, messages);
    case 'pipe':
      return findTooLongLists(def.out, sent, messages);
    case 'union': {
      const [meant, other] = def.options.filter((option) => isFor(option, sent));
      return meant && !other ? findTooLongLists(meant, sent, messages) : [];
    }
    default:
      return [];
  }
}

/** True for a schema of objects and a value that is one, or a schema of lists and a list. */
function isFor(schema: z.core.$ZodType, sent: object): boolean {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === 'optional' || def.type === 'nullable') return isFor(def.innerType, sent);
  if (def.type === 'pipe') return isFor(def.out, sent);
  return (def.type === 'array') === Array.isArray(sent) && ['array', 'object', 'record', 'union'].includes(def.type);
}

const longestOf = ({ checks = [] }: z.core.$ZodArrayDef): number => Math.min(...checks.map(maxLengthOf));

function maxLengthOf({ _zod: { def } }: z.core.$ZodCheck): number {
  const { check, maximum } = def as z.core.$ZodCheckMaxLengthDef | (z.core.$ZodCheckDef & { readonly maximum?: never });
  return check === 'max_length' && maximum !== undefined ? maximum : Number.POSITIVE_INFINITY;
}

type Messages = z.core.ParseContext<z.core.$ZodIssue>;

/**
 * Looks at each item of the lists that a schema has a place for, as whoever parses them with such messages will. Nobody
 * else may hold what was sent.
 */
export function* examineItems(schema: z.core.$ZodType, sent: unknown, messages: Messages): Steps {
  if (typeof sent !== 'object' || sent === null) return;
  // It is one of zod's own.
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'array':
      if (Array.isArray(sent) && sent.length <= longestOf(def)) yield* examineEach(def.element, sent, messages);
      return;
    case 'object':
      for (const [name, field] of Object.entries(def.shape))
        yield* examineItems(field, Object.getOwnPropertyDescriptor(sent, name)?.value, messages);
      return;
    case 'union':
      for (const option of def.options) yield* examineItems(option, sent, messages);
      return;
    case 'optional':
    case 'nullable':
      yield* examineItems(def.innerType, sent, messages);
      return;
    case 'pipe': {
      const before = (def.in as z.core.$ZodTypes)._zod.def;
      const examine = before.type === 'transform' ? examinations.get(before.transform) : undefined;
      if (examine) yield* examine(sent);
      yield* examineItems(def.out, sent, messages);
    }
  }
}

/** Looks at the items of long lists within an item, which is parsed as a whole then. */
function* examineNested(schema: z.core.$ZodType, item: unknown, messages: Messages): Steps {
  if (hasLongList(item)) yield* examineItems(schema, item, messages);
}

const shortList = 20;

const hasLongList = (item: unknown): boolean =>
  typeof item === 'object' &&
  item !== null &&
  Object.values(item).some((inner) => Array.isArray(inner) && inner.length > shortList);

function* examineEach(schema: z.core.$ZodType, items: readonly unknown[], messages: Messages): Steps {
  let wrong = 0;
  for (const value of items) {
    yield* examineNested(schema, value, messages);
    isExamining = true;
    try {
      const result = schema._zod.run({ value, issues: [] }, { async: false, ...messages });
      if (!(result instanceof Promise)) wrong += result.issues.length;
      // Nobody looks at what comes after them.
      if (wrong > maxMistakes) return;
    } finally {
      isExamining = false;
    }
    yield;
  }
}
