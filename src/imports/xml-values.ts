/** Turns an element of XML into the JSON that a schema expects: what is a list, a number or a text follows from it. */
import type * as z from 'zod';
import type { FieldError } from '../core/exchange/api-error.ts';

/** Holds an element with what is in it. */
export interface XmlElement {
  readonly name: string;
  /** Counts from 1, as column does. */
  readonly line: number;
  readonly column: number;
  readonly attributes: readonly (readonly [name: string, value: string])[];
  readonly children: XmlElement[];
  text: string;
}

/** Holds the value of an element, and the places of the fields in it. */
export interface XmlValue {
  readonly json: unknown;
  readonly errors: readonly FieldError[];
  /** Returns the element that a field came from, or the nearest around it. */
  readonly locate: (field: string) => XmlElement;
}

interface ListShape {
  readonly kind: 'list';
  readonly item: Shape;
}

type Shape =
  | ListShape
  | { readonly kind: 'object'; readonly fields: ReadonlyMap<string, Shape> }
  | { readonly kind: 'number' | 'boolean' | 'text' };

const shapes = new WeakMap<z.core.$ZodType, Shape>();

function shapeOf(schema: z.core.$ZodType): Shape {
  const known = shapes.get(schema);
  if (known) return known;
  const shape = readSchema(schema as z.core.$ZodTypes);
  shapes.set(schema, shape);
  return shape;
}

function readSchema({ _zod: { def } }: z.core.$ZodTypes): Shape {
  switch (def.type) {
    case 'object':
      return {
        kind: 'object',
        fields: new Map(Object.entries(def.shape).map(([name, of]) => [name, shapeOf(of)])),
      };
    case 'array':
      return { kind: 'list', item: shapeOf(def.element) };
    case 'optional':
    case 'nullable':
      return shapeOf(def.innerType);
    case 'pipe':
      return shapeOf(def.out);
    case 'number':
    case 'boolean':
      return { kind: def.type };
    default:
      return { kind: 'text' };
  }
}

/** Reads an element by a schema. */
export function readElement(schema: z.ZodType, element: XmlElement): XmlValue {
  const places = new Map<string, XmlElement>();
  const errors: FieldError[] = [];
  const json = valueOf(shapeOf(schema), element, { path: '', places, errors });
  const locate = (field: string): XmlElement => {
    const found = places.get(field);
    if (found ?? field === '') return found ?? element;
    return locate(field.replace(/(?:^|\.)[^.[\]]*$|\[\d+\]$/, ''));
  };
  return { json, errors, locate };
}

interface Reading {
  readonly path: string;
  readonly places: Map<string, XmlElement>;
  readonly errors: FieldError[];
}

function valueOf(shape: Shape, element: XmlElement, reading: Reading): unknown {
  reading.places.set(reading.path, element);
  if (element.attributes.some(([name, value]) => name === 'xsi:nil' && (value === 'true' || value === '1')))
    return null;
  switch (shape.kind) {
    case 'list':
      return itemsFrom(shape, element, { reading, before: [] });
    case 'object':
      return objectOfElement(shape.fields, element, reading);
    case 'number':
      return numberOf(element);
    case 'boolean':
      return booleans[element.text.trim()] ?? emptyAsNull(element);
    case 'text':
      return element.children.length > 0 ? objectOfElement(new Map(), element, reading) : element.text;
  }
}

const booleans: Readonly<Record<string, boolean>> = { true: true, '1': true, false: false, '0': false };

const numberPattern = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

const numberOf = (element: XmlElement): unknown => {
  const text = element.text.trim();
  return numberPattern.test(text) && element.children.length === 0 ? Number(text) : emptyAsNull(element);
};

const emptyAsNull = ({ text, children }: XmlElement): unknown => (text === '' && children.length === 0 ? null : text);

/** A list comes as one element around its items, or as one element for each item. */
const itemsOf = ({ item }: ListShape, element: XmlElement): readonly XmlElement[] =>
  isItem(item, element) ? [element] : element.children;

function isItem(item: Shape, { attributes, children, text }: XmlElement): boolean {
  if (item.kind !== 'object') return children.length === 0;
  return children.length === 0
    ? text.trim() !== '' || attributes.some(([name]) => item.fields.has(name))
    : children.some(({ name }) => item.fields.has(name));
}

function objectOfElement(fields: ReadonlyMap<string, Shape>, element: XmlElement, reading: Reading): object {
  const { path, places, errors } = reading;
  const at = (name: string): string => (path === '' ? name : `${path}.${name}`);
  const values = new Map<string, unknown>();
  for (const [name, value] of element.attributes) if (!name.startsWith('xsi:')) values.set(name, value);
  for (const child of element.children) {
    const shape = fields.get(child.name) ?? { kind: 'text' };
    const known = values.get(child.name);
    const inside = { ...reading, path: at(child.name) };
    if (shape.kind === 'list') {
      const before = Array.isArray(known) ? known : [];
      values.set(child.name, itemsFrom(shape, child, { reading: inside, before }));
    } else {
      if (values.has(child.name)) errors.push({ field: at(child.name), errorDescription: 'is given more than once' });
      values.set(child.name, valueOf(shape, child, inside));
    }
  }
  const ownText = element.text.trim();
  if (ownText !== '' && fields.has('value') && !values.has('value')) values.set('value', element.text);
  else if (ownText !== '' && fields.size > 0) {
    errors.push({ field: path, errorDescription: 'holds text between its elements' });
  }
  places.set(path, element);
  return Object.fromEntries(values);
}

interface ListSoFar {
  readonly reading: Reading;
  readonly before: readonly unknown[];
}

/** Adds the items of one more element to those of a list. */
function itemsFrom(shape: ListShape, element: XmlElement, { reading, before }: ListSoFar): unknown[] {
  const { path, places } = reading;
  if (before.length === 0) places.set(path, element);
  const items = itemsOf(shape, element).map((item, i) =>
    valueOf(shape.item, item, { ...reading, path: `${path}[${before.length + i}]` }),
  );
  return [...before, ...items];
}
