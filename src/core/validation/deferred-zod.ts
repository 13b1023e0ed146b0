/**
 * Stands for zod in all of our code: what builds a schema notes down how, and the schema is built when somebody first
 * uses it. A process has some 1,900 schemas, which would take a third of a start, and needs about 60 of them to begin.
 */
import * as zod from 'zod';

export * from 'zod';

type Build = () => zod.ZodType;

/** Holds a schema that may not have been built yet. */
class DeferredSchema {
  readonly #build: Build;
  #built: zod.ZodType | undefined;

  constructor(build: Build) {
    this.#build = build;
  }

  get built(): zod.ZodType {
    this.#built ??= this.#build();
    return this.#built;
  }
}

/** Lists the methods of a schema that return another schema; any other use needs the schema itself. */
const chainable = new Set<PropertyKey>(
  'and array brand check default describe exactOptional extend int length loose lowercase max meta min nonnegative nullable nullish omit optional or overwrite partial pick pipe positive prefault readonly refine regex strict superRefine toLowerCase toUpperCase transform trim'.split(
    ' ',
  ),
);

const deferredSchemas = new WeakMap<object, DeferredSchema>();

const handler: ProxyHandler<DeferredSchema> = {
  get(deferred, name) {
    if (chainable.has(name)) {
      return (...args: unknown[]) =>
        // `meta()` without arguments returns what was noted.
        args.length === 0 && name === 'meta' ? deferred.built.meta() : defer(() => call(deferred.built, name, args));
    }
    const value: unknown = Reflect.get(deferred.built, name);
    return typeof value === 'function' ? value.bind(deferred.built) : value;
  },
  has: (deferred, name) => Reflect.has(deferred.built, name),
  getPrototypeOf: (deferred) => Reflect.getPrototypeOf(deferred.built),
};

const call = (schema: zod.ZodType, name: PropertyKey, args: readonly unknown[]): zod.ZodType =>
  Reflect.get(schema, name).apply(schema, args.map(builtIn));

function defer(build: Build): zod.ZodType {
  const deferred = new DeferredSchema(build);
  // The handler makes it one.
  const schema = new Proxy(deferred, handler) as unknown as zod.ZodType;
  deferredSchemas.set(schema, deferred);
  return schema;
}

/** Returns a value with the schemas in it built, so that no schema holds one that is not. */
function builtIn(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const deferred = deferredSchemas.get(value);
  if (deferred) return deferred.built;
  if (Array.isArray(value)) return value.map(builtIn);
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, builtIn(inner)]));
}

/** Returns the same function, whose schema is built later. */
export const deferring = <Factory extends (...args: never[]) => zod.ZodType>(factory: Factory): Factory =>
  // It is called as the factory is, and returns what stands for its result.
  ((...args: unknown[]) => defer(() => Reflect.apply(factory, undefined, args.map(builtIn)))) as unknown as Factory;

export const array = deferring(zod.array);
export const boolean = deferring(zod.boolean);
export const coerce = { number: deferring(zod.coerce.number) };
export const custom = deferring(zod.custom);
export const discriminatedUnion = deferring(zod.discriminatedUnion);
export const guid = deferring(zod.guid);
export const int = deferring(zod.int);
export const literal = deferring(zod.literal);
export const looseObject = deferring(zod.looseObject);
export const never = deferring(zod.never);
export const object = deferring(zod.object);
export const preprocess = deferring(zod.preprocess);
export const record = deferring(zod.record);
export const strictObject = deferring(zod.strictObject);
export const string = deferring(zod.string);
export const stringbool = deferring(zod.stringbool);
export const templateLiteral = deferring(zod.templateLiteral);
export const tuple = deferring(zod.tuple);
export const union = deferring(zod.union);
export const unknown = deferring(zod.unknown);

const deferredEnum = deferring(zod.enum);
const deferredNull = deferring(zod.null);
const deferredNumber = deferring(zod.number);
export { deferredEnum as enum, deferredNull as null, deferredNumber as number };

/** Returns the JSON schema of a schema. */
export const toJSONSchema = ((schema: zod.ZodType, options?: zod.core.ToJSONSchemaParams) =>
  zod.toJSONSchema(builtIn(schema) as zod.ZodType, options)) as typeof zod.toJSONSchema;

/** Returns a schema that parses as this one does, by code that is generated for it. */
export const compile = <Schema extends zod.ZodType>(schema: Schema): Schema => zod.compile(builtIn(schema) as Schema);
