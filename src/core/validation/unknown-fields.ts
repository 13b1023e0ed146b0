/** Finds fields that a schema would ignore, and texts that no store can hold. */
import type * as z from 'zod';
import type { FieldError } from '../exchange/api-error.ts';
import { finish } from '../time/steps.ts';
import type { Steps } from '../time/steps.ts';
import { typeMismatch } from './type-mismatch.ts';

/** Describes which fields a schema has. */
type SchemaShape =
  | {
      readonly kind: 'object';
      readonly fields: ReadonlyMap<string, SchemaShape>;
      readonly names: readonly string[];
      readonly isOpen: boolean;
    }
  | { readonly kind: 'array'; readonly item: SchemaShape }
  /** Describes an object with any names. */
  | { readonly kind: 'record'; readonly item: SchemaShape }
  /** Describes one of several, chosen by the value of a field. */
  | { readonly kind: 'choice'; readonly by: string; readonly options: ReadonlyMap<unknown, SchemaShape> }
  /** Describes one of several: the one that knows most of the fields sent. */
  | { readonly kind: 'union'; readonly options: readonly SchemaShape[] }
  | { readonly kind: 'value' };

const value: SchemaShape = { kind: 'value' };
const shapes = new WeakMap<z.core.$ZodType, SchemaShape>();

/** Returns the shape of a schema, computed once. */
function schemaShape(schema: z.core.$ZodType): SchemaShape {
  const known = shapes.get(schema);
  if (known) return known;
  const shape = readShape(schema as z.core.$ZodTypes);
  shapes.set(schema, shape);
  return shape;
}

function readShape(schema: z.core.$ZodTypes): SchemaShape {
  const { def } = schema._zod;
  switch (def.type) {
    case 'object':
      return {
        kind: 'object',
        fields: new Map(Object.entries(def.shape).map(([name, of]) => [name, schemaShape(of)])),
        names: Object.keys(def.shape),
        isOpen: def.catchall?._zod.def.type === 'unknown',
      };
    case 'array':
      return { kind: 'array', item: schemaShape(def.element) };
    case 'optional':
    case 'nullable':
    case 'default':
    case 'readonly':
      return schemaShape(def.innerType);
    case 'pipe':
      return schemaShape(def.out);
    case 'record':
      return { kind: 'record', item: schemaShape(def.valueType) };
    case 'union':
      if ('discriminator' in def && typeof def.discriminator === 'string')
        return choiceBy(def.discriminator, def.options);
      return def.options.some((option) => option._zod.def.type === 'unknown')
        ? value
        : unionOf(def.options.map(schemaShape));
    default:
      return value;
  }
}

function choiceBy(by: string, options: readonly z.core.$ZodType[]): SchemaShape {
  const named = options.flatMap((option) => {
    const shape = schemaShape(option);
    return [...(option._zod.propValues?.[by] ?? [])].map((name) => [name, shape] as const);
  });
  return { kind: 'choice', by, options: new Map(named) };
}

function unionOf(options: readonly SchemaShape[]): SchemaShape {
  const inner = options.flatMap((shape) => (shape.kind === 'union' ? shape.options : [shape]));
  const structured = inner.filter(({ kind }) => kind !== 'value');
  return structured.length === 0 ? value : { kind: 'union', options: structured };
}

/** Describes a field that was sent and is not read. */
export interface UnknownField {
  readonly path: string;
  readonly name: string;
  /** Lists the names that are read in its place; empty where every other name is read. */
  readonly known: readonly string[];
  /** True when the schema keeps fields that it does not know. */
  readonly isKept?: boolean;
}

const at = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

/** Returns the fields of `sent` that the schema does not know; `otherFields` are known at the top or in each top item. */
export const unknownFields = (schema: z.ZodType, sent: unknown, otherFields?: ReadonlySet<string>): UnknownField[] =>
  finish(unknownFieldsInTurns(schema, sent, otherFields));

/** Does the same for a value of which much may have to be looked at. */
export function* unknownFieldsInTurns(
  schema: z.ZodType,
  sent: unknown,
  otherFields: ReadonlySet<string> = new Set(),
): Steps<UnknownField[]> {
  const found: UnknownField[] = [];
  const shape = schemaShape(schema);
  if (shape.kind === 'array' && Array.isArray(sent)) {
    for (let i = 0; i < sent.length; i++) {
      if (i % itemsAtOnce === itemsAtOnce - 1) yield;
      if (typeof sent[i] === 'object') yield* look(shape.item, sent[i], { path: `[${i}]`, found, otherFields });
    }
  } else yield* look(shape, sent, { path: '', found, otherFields });
  return found;
}

/**
 * Returns how many keys a value and all inside it have, or undefined unless the schema knows each of them for sure. What
 * is counted has no unknown fields, and is nested no deeper than its schema: one walk in place of one for each.
 */
export function countKnownKeys(schema: z.ZodType, sent: unknown): number | undefined {
  const count = countKeysOf(schemaShape(schema), sent);
  return count < 0 ? undefined : count;
}

/** Counts the keys; a negative number says that there is something to look at more closely. */
function countKeysOf(shape: SchemaShape, sent: unknown): number {
  if (typeof sent !== 'object' || sent === null) return 0;
  let count = 0;
  if (Array.isArray(sent)) {
    if (shape.kind !== 'array') return -1;
    for (let i = 0; i < sent.length; i++) {
      const inside = countKeysOf(shape.item, sent[i]);
      if (inside < 0) return -1;
      count += inside;
    }
    return count;
  }
  if (shape.kind !== 'object') return -1;
  for (const name in sent) {
    const field = shape.fields.get(name);
    if (!field) return -1;
    const inside = countKeysOf(field, (sent as Record<string, unknown>)[name]);
    if (inside < 0) return -1;
    count += 1 + inside;
  }
  return count;
}

/** Returns the names of the fields that an object's schema has. */
export function knownFields(schema: z.ZodType): string[] {
  const shape = schemaShape(schema);
  return shape.kind === 'object' ? [...shape.names] : [];
}

/** Limits how many items of a list are looked at before others have their turn. */
const itemsAtOnce = 500;

interface Search {
  readonly path: string;
  readonly found: UnknownField[];
  readonly otherFields?: ReadonlySet<string>;
}

function* look(shape: SchemaShape, sent: unknown, { path, found, otherFields }: Search): Steps {
  if (typeof sent !== 'object' || sent === null || shape.kind === 'value') return;
  yield;
  if (shape.kind === 'union') {
    for (const unknown of yield* fewestUnknown(shape.options, sent, path)) found.push(unknown);
    return;
  }
  if (shape.kind === 'choice') {
    const chosen = shape.options.get(Object.getOwnPropertyDescriptor(sent, shape.by)?.value);
    if (chosen) yield* look(chosen, sent, { path, found });
    return;
  }
  if (shape.kind === 'array') {
    if (!Array.isArray(sent)) return;
    for (let i = 0; i < sent.length; i++) {
      if (i % itemsAtOnce === itemsAtOnce - 1) yield;
      if (typeof sent[i] === 'object') yield* look(shape.item, sent[i], { path: `${path}[${i}]`, found });
    }
    return;
  }
  // One list for all fields: an object may have hundreds of thousands that nobody reads.
  let known: readonly string[] | undefined;
  for (const [name, inner] of Object.entries(sent)) {
    if (shape.kind === 'record') {
      // Schemas drop it without a word.
      if (name === '__proto__') found.push({ path: at(path, name), name, known: [] });
      else yield* look(shape.item, inner, { path: at(path, name), found });
      continue;
    }
    const field = shape.fields.get(name);
    if (field) {
      if (field.kind !== 'value') yield* look(field, inner, { path: at(path, name), found });
    } else if (!otherFields?.has(name)) {
      known ??= otherFields && otherFields.size > 0 ? namesWith(shape.names, otherFields) : shape.names;
      found.push({ path: at(path, name), name, known, isKept: shape.isOpen });
    }
  }
}

const combined = new WeakMap<ReadonlySet<string>, { readonly names: readonly string[]; readonly all: string[] }>();

/** Returns the names of a shape and other ones, as the same list for the same set. */
function namesWith(names: readonly string[], otherFields: ReadonlySet<string>): readonly string[] {
  const made = combined.get(otherFields);
  if (made?.names === names) return made.all;
  const all = [...names, ...otherFields];
  combined.set(otherFields, { names, all });
  return all;
}

function* fewestUnknown(options: readonly SchemaShape[], sent: object, path: string): Steps<readonly UnknownField[]> {
  let fewest: readonly UnknownField[] | undefined;
  for (const option of options) {
    if ((option.kind === 'array') !== Array.isArray(sent)) continue;
    const found: UnknownField[] = [];
    yield* look(option, sent, { path, found });
    if (fewest === undefined || found.length < fewest.length) fewest = found;
  }
  return fewest ?? [];
}

/** Returns an error for each text with half a surrogate pair: it can be neither stored nor sent as UTF-8. */
export const loneSurrogateErrors = (sent: unknown): FieldError[] => finish(loneSurrogateErrorsInTurns(sent));

/** Does the same for a value of which much may have to be looked at. */
export function* loneSurrogateErrorsInTurns(sent: unknown, path = ''): Steps<FieldError[]> {
  if (typeof sent === 'string') {
    const whole = !/\p{Surrogate}/u.test(sent);
    return whole ? [] : [{ field: path, errorDescription: 'holds half a surrogate pair, which is not a character' }];
  }
  if (typeof sent !== 'object' || sent === null) return [];
  yield;
  const found: FieldError[] = [];
  const lookInto = function* (inner: unknown, where: string): Steps {
    for (const error of yield* loneSurrogateErrorsInTurns(inner, where)) found.push(error);
  };
  if (Array.isArray(sent)) {
    for (let i = 0; i < sent.length; i++) {
      if (i % itemsAtOnce === itemsAtOnce - 1) yield;
      if (typeof sent[i] === 'string' || typeof sent[i] === 'object') yield* lookInto(sent[i], `${path}[${i}]`);
    }
  } else for (const [name, inner] of Object.entries(sent)) yield* lookInto(inner, at(path, name));
  return found;
}

/** Returns what a schema found wrong, field by field, in the form of the service's validation errors. */
export const fieldErrors = (error: z.core.$ZodError, sent?: unknown): FieldError[] =>
  error.issues.flatMap(flattenUnionIssue).map((issue) => issueFieldError(issue, sent));

/** Returns one of what a schema found wrong in the form of the service's validation errors. */
export const issueFieldError = (issue: z.core.$ZodIssue, sent: unknown): FieldError => ({
  field: formatPath(issue.path),
  errorDescription: `${issue.message}${typeMismatch(issue, sent)}`,
});

/** Returns the issues inside the option of a union that was meant, chosen by the type of the value sent. */
export function flattenUnionIssue(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union') return [issue];
  const [meant] = issue.errors
    .map((issues) => issues.flatMap(flattenUnionIssue))
    .filter((issues) => issues.length > 0 && !issues.some(isOfAnotherKind))
    .toSorted((one, other) => one.length - other.length);
  return meant?.map((inner) => Object.assign({}, inner, { path: [...issue.path, ...inner.path] })) ?? [issue];
}

function isOfAnotherKind(issue: z.core.$ZodIssue): boolean {
  if (issue.path.length > 0) return false;
  // Told by whoever asked for the input to be reported with what is wrong with it.
  if (issue.code === 'invalid_value') return issue.values.every((known) => typeof known !== typeof issue.input);
  return issue.code === 'invalid_type' || issue.code === 'invalid_union';
}

/** Returns a path as text: `contacts[3].email`. */
export function formatPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (text, part) => (typeof part === 'number' ? `${text}[${part}]` : at(text, String(part))),
    '',
  );
}
