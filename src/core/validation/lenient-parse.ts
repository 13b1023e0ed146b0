/** Reads the valid parts of a value that may be wrong elsewhere. */
import type * as z from 'zod';

type Fields = Readonly<Record<string, z.ZodType>>;

export type PartiallyValid<Shape extends Fields> = { readonly [Name in keyof Shape]?: z.output<Shape[Name]> };

/** Returns the fields that are valid; the others are reported elsewhere. */
export function parseLeniently<Shape extends Fields>(shape: Shape, sent: unknown): PartiallyValid<Shape> {
  const parsed = Object.entries(shape).map(([name, schema]) => [name, schema.safeParse(getField(sent, name)).data]);
  // Each was parsed by the schema of its own name.
  return Object.fromEntries(parsed) as PartiallyValid<Shape>;
}

export const isObject = (sent: unknown): sent is Readonly<Record<string, unknown>> =>
  typeof sent === 'object' && sent !== null && !Array.isArray(sent);

export const getField = (sent: unknown, name: string): unknown =>
  isObject(sent) && Object.hasOwn(sent, name) ? sent[name] : undefined;
