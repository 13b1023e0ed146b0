/** Looks at what was sent next to what a schema knows: fields it would pass over in silence, and texts no store can hold. */
import type * as z from 'zod';
import type { FieldError } from './errors.ts';
import { otherKind } from './kinds.ts';

/** The part of a schema that says which fields there are. */
type Shape =
  | { readonly kind: 'object'; readonly fields: ReadonlyMap<string, Shape>; readonly isOpen: boolean }
  | { readonly kind: 'array'; readonly item: Shape }
  /** An object whose names are anybody's. */
  | { readonly kind: 'record'; readonly item: Shape }
  /** One of several, told by the value of a field. */
  | { readonly kind: 'choice'; readonly by: string; readonly options: ReadonlyMap<unknown, Shape> }
  /** One of several: the one that knows most of what was sent. */
  | { readonly kind: 'union'; readonly options: readonly Shape[] }
  | { readonly kind: 'value' };

const value: Shape = { kind: 'value' };
const shapes = new WeakMap<z.core.$ZodType, Shape>();

/** The shape of a schema, worked out once. */
function shapeOf(schema: z.core.$ZodType): Shape {
  const known = shapes.get(schema);
  if (known) return known;
  const shape = readShape(schema as z.core.$ZodTypes);
  shapes.set(schema, shape);
  return shape;
}

function readShape(schema: z.core.$ZodTypes): Shape {
  const { def } = schema._zod;
  switch (def.type) {
    case 'object':
      return {
        kind: 'object',
        fields: new Map(Object.entries(def.shape).map(([name, of]) => [name, shapeOf(of)])),
        isOpen: def.catchall?._zod.def.type === 'unknown',
      };
    case 'array':
      return { kind: 'array', item: shapeOf(def.element) };
    case 'optional':
    case 'nullable':
    case 'default':
    case 'readonly':
      return shapeOf(def.innerType);
    case 'pipe':
      return shapeOf(def.out);
    case 'record':
      return { kind: 'record', item: shapeOf(def.valueType) };
    case 'union':
      if ('discriminator' in def && typeof def.discriminator === 'string')
        return choiceBy(def.discriminator, def.options);
      return def.options.some((option) => option._zod.def.type === 'unknown')
        ? value
        : unionOf(def.options.map(shapeOf));
    default:
      return value;
  }
}

function choiceBy(by: string, options: readonly z.core.$ZodType[]): Shape {
  const named = options.flatMap((option) => {
    const shape = shapeOf(option);
    return [...(option._zod.propValues?.[by] ?? [])].map((name) => [name, shape] as const);
  });
  return { kind: 'choice', by, options: new Map(named) };
}

function unionOf(options: readonly Shape[]): Shape {
  const inner = options.flatMap((shape) => (shape.kind === 'union' ? shape.options : [shape]));
  const structured = inner.filter(({ kind }) => kind !== 'value');
  return structured.length === 0 ? value : { kind: 'union', options: structured };
}

/** A field that was sent and that nobody reads. */
export interface UnknownField {
  readonly path: string;
  readonly name: string;
  /** The names that would have been read in its place; none where any name is read but this. */
  readonly known: readonly string[];
  /** Whether the schema takes other fields as well. */
  readonly isKept?: boolean;
}

const at = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

/** Every field of `sent` that the schema has no place for; `otherFields` are known at the top or in each top item. */
export function unknownFields(
  schema: z.ZodType,
  sent: unknown,
  otherFields: ReadonlySet<string> = new Set(),
): UnknownField[] {
  const found: UnknownField[] = [];
  const shape = shapeOf(schema);
  if (shape.kind === 'array' && Array.isArray(sent)) {
    for (const [i, item] of sent.entries()) look(shape.item, item, { path: `[${i}]`, found, otherFields });
  } else look(shape, sent, { path: '', found, otherFields });
  return found;
}

interface Search {
  readonly path: string;
  readonly found: UnknownField[];
  readonly otherFields?: ReadonlySet<string>;
}

function look(shape: Shape, sent: unknown, { path, found, otherFields }: Search): void {
  if (typeof sent !== 'object' || sent === null || shape.kind === 'value') return;
  if (shape.kind === 'union') {
    found.push(...fewestUnknown(shape.options, sent, path));
    return;
  }
  if (shape.kind === 'choice') {
    const chosen = shape.options.get(Object.getOwnPropertyDescriptor(sent, shape.by)?.value);
    if (chosen) look(chosen, sent, { path, found });
    return;
  }
  if (shape.kind === 'array') {
    if (Array.isArray(sent))
      for (let i = 0; i < sent.length; i++) look(shape.item, sent[i], { path: `${path}[${i}]`, found });
    return;
  }
  for (const [name, inner] of Object.entries(sent)) {
    if (shape.kind === 'record') {
      // Schemas drop it without a word.
      if (name === '__proto__') found.push({ path: at(path, name), name, known: [] });
      else look(shape.item, inner, { path: at(path, name), found });
      continue;
    }
    const field = shape.fields.get(name);
    if (field) {
      if (field.kind !== 'value') look(field, inner, { path: at(path, name), found });
    } else if (!otherFields?.has(name)) {
      const known = [...shape.fields.keys(), ...(otherFields ?? [])];
      found.push({ path: at(path, name), name, known, isKept: shape.isOpen });
    }
  }
}

function fewestUnknown(options: readonly Shape[], sent: object, path: string): readonly UnknownField[] {
  const [first = [], ...others] = options
    .filter(({ kind }) => (kind === 'array') === Array.isArray(sent))
    .map((option) => {
      const found: UnknownField[] = [];
      look(option, sent, { path, found });
      return found;
    });
  return others.reduce((least, found) => (found.length < least.length ? found : least), first);
}

/** Nothing that a client means is nested deeper; whatever walks a body may count on that. */
export const maxDepth = 100;

export function isTooDeep(sent: unknown, levels = maxDepth): boolean {
  if (typeof sent !== 'object' || sent === null) return false;
  return levels === 0 || Object.values(sent).some((inner) => isTooDeep(inner, levels - 1));
}

/** Where a text holds half a surrogate pair: not a character, so it can be neither stored nor sent as UTF-8. */
export function brokenTexts(sent: unknown, path = ''): FieldError[] {
  if (typeof sent === 'string') {
    const whole = !/\p{Surrogate}/u.test(sent);
    return whole ? [] : [{ field: path, errorDescription: 'holds half a surrogate pair, which is not a character' }];
  }
  if (typeof sent !== 'object' || sent === null) return [];
  const entries = Array.isArray(sent)
    ? sent.map((item, i) => [`${path}[${i}]`, item] as const)
    : namedEntries(sent, path);
  return entries.flatMap(([where, inner]) => brokenTexts(inner, where));
}

const namedEntries = (sent: object, path: string): (readonly [string, unknown])[] =>
  Object.entries(sent).map(([name, inner]) => [at(path, name), inner] as const);

/** What a schema found wrong with what was sent, field by field, in the service's terms. */
export const fieldErrors = (error: z.core.$ZodError, sent?: unknown): FieldError[] =>
  error.issues.flatMap(within).map((issue) => ({
    field: pathText(issue.path),
    errorDescription: `${issue.message}${otherKind(issue, sent)}`,
  }));

/** Of a union, what is wrong inside the form that was meant: one for the kind of value that was sent. */
export function within(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union') return [issue];
  const [meant] = issue.errors
    .map((issues) => issues.flatMap(within))
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

/** `contacts[3].email` */
export function pathText(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (text, part) => (typeof part === 'number' ? `${text}[${part}]` : at(text, String(part))),
    '',
  );
}
