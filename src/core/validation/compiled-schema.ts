/** Compiles the schemas that are used most; zod interprets all others. */
import * as z from './deferred-zod.ts';

/** Compiling takes some 15 ms, which so many uses of a schema earn back several times. */
const usesBeforeCompiling = 2000;

interface Usage {
  count: number;
  compiled: z.ZodType | undefined;
}

const usages = new WeakMap<z.ZodType, Usage>();

/** Returns a schema that parses as this one: itself at first, and compiled once it has been used often. */
export function compiledWhenUsed(schema: z.ZodType): z.ZodType {
  const usage = usages.get(schema);
  if (!usage) {
    usages.set(schema, { count: 1, compiled: undefined });
    return schema;
  }
  // What does not fit is parsed a second time by the schema itself, so its errors are the same.
  if (++usage.count === usesBeforeCompiling) usage.compiled = z.compile(schema);
  return usage.compiled ?? schema;
}
