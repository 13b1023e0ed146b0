/**
 * Parses the items of long lists one by one before the whole is parsed, so that others have their turn in between: the whole then
 * takes what was made of them.
 */
import type * as z from 'zod';
import { isLongList } from '../exchange/endpoint.ts';
import type { Steps } from '../time/steps.ts';
import { zodMessage } from './zod-messages.ts';

let isExamining = false;

/** Returns the schema of the items of a list, which from now on remembers what it made of those that were examined. */
export function rememberExamined<Schema extends z.ZodType>(schema: Schema): Schema {
  const { run } = schema._zod;
  const examined = new WeakMap<object, Pick<z.core.ParsePayload, 'value' | 'issues'>>();
  schema._zod.run = (payload, context) => {
    const { value: sent } = payload;
    if (typeof sent !== 'object' || sent === null) return run(payload, context);
    const known = examined.get(sent);
    // What does not fit is parsed again for whoever wants it to be reported in other words.
    if (known && (known.issues.length === 0 || isReportedAlike(context))) {
      payload.issues.push(...known.issues.map(ownIssue));
      return Object.assign(payload, { value: known.value });
    }
    const result = run(payload, context);
    if (isExamining && !(result instanceof Promise))
      examined.set(sent, { value: result.value, issues: result.issues.map(ownIssue) });
    return result;
  };
  return schema;
}

/** True when whoever parses an item wants to hear of what is wrong as it was found: in the same words, without its value. */
const isReportedAlike = ({ error, reportInput }: z.core.ParseContextInternal): boolean =>
  error === zodMessage && !reportInput;

/** Copies an issue: whoever reports it adds to its path. */
const ownIssue = (issue: z.core.$ZodRawIssue): z.core.$ZodRawIssue => ({ ...issue, path: [...(issue.path ?? [])] });

const examinations = new WeakMap<object, (sent: unknown) => Steps>();

/** Says how a value is examined that a function preprocesses. */
export const examineFor = (preprocess: object, examine: (sent: unknown) => Steps): void =>
  void examinations.set(preprocess, examine);

/** Looks at each item of the long lists that a schema has a place for. Nobody else may hold what was sent. */
export function* examineItems(schema: z.core.$ZodType, sent: unknown): Steps {
  if (typeof sent !== 'object' || sent === null) return;
  // It is one of zod's own.
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'array':
      if (Array.isArray(sent) && isLongList(sent)) yield* examineEach(def.element, sent);
      return;
    case 'object':
      for (const [name, field] of Object.entries(def.shape))
        yield* examineItems(field, Object.getOwnPropertyDescriptor(sent, name)?.value);
      return;
    case 'union':
      for (const option of def.options) yield* examineItems(option, sent);
      return;
    case 'optional':
      yield* examineItems(def.innerType, sent);
      return;
    case 'pipe': {
      const before = (def.in as z.core.$ZodTypes)._zod.def;
      const examine = before.type === 'transform' ? examinations.get(before.transform) : undefined;
      if (examine) yield* examine(sent);
      yield* examineItems(def.out, sent);
    }
  }
}

function* examineEach(schema: z.core.$ZodType, items: readonly unknown[]): Steps {
  for (const value of items) {
    isExamining = true;
    try {
      schema._zod.run({ value, issues: [] }, { async: false, error: zodMessage });
    } finally {
      isExamining = false;
    }
    yield;
  }
}
