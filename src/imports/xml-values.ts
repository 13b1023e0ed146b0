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
  const reading: Reading = { places: [], errors: [] };
  const json = valueOf(shapeOf(schema), { element, in: undefined, name: '' }, reading);
  let elements: ReadonlyMap<string, XmlElement> | undefined;
  const locate = (field: string): XmlElement => {
    elements ??= new Map(reading.places.map((place) => [pathOf(place), place.element]));
    const found = elements.get(field);
    if (found ?? field === '') return found ?? element;
    return locate(field.replace(/(?:^|\.)[^.[\]]*$|\[\d+\]$/, ''));
  };
  return { json, errors: reading.errors, locate };
}

/** Holds an element as a part of a value. Most paths are never asked for. */
interface Place {
  readonly element: XmlElement;
  readonly in: Place | undefined;
  /** Holds the name of the field, or the index in a list. */
  readonly name: string | number;
}

function pathOf({ in: around, name }: Place): string {
  if (around === undefined) return '';
  const path = pathOf(around);
  if (typeof name === 'number') return `${path}[${name}]`;
  return path === '' ? name : `${path}.${name}`;
}

interface Reading {
  /** Lists the places; of two with the same path, the last counts. */
  readonly places: Place[];
  readonly errors: FieldError[];
}

function valueOf(shape: Shape, place: Place, reading: Reading): unknown {
  const { element } = place;
  reading.places.push(place);
  if (element.attributes.some(([name, value]) => name === 'xsi:nil' && (value === 'true' || value === '1')))
    return null;
  switch (shape.kind) {
    case 'list':
      return readItems(shape, place, { reading, items: [] });
    case 'object':
      return objectOfElement(shape.fields, place, reading);
    case 'number':
      return numberOf(element);
    case 'boolean':
      return booleans[element.text.trim()] ?? emptyAsNull(element);
    case 'text':
      return element.children.length > 0 ? objectOfElement(new Map(), place, reading) : element.text;
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

const textShape: Shape = { kind: 'text' };

function objectOfElement(fields: ReadonlyMap<string, Shape>, place: Place, reading: Reading): object {
  const { element } = place;
  const refuse = (at: Place, errorDescription: string): void =>
    void reading.errors.push({ field: pathOf(at), errorDescription });
  const values: Record<string, unknown> = {};
  for (const [name, value] of element.attributes) if (!name.startsWith('xsi:')) setField(values, name, value);
  for (const child of element.children) {
    const { name } = child;
    const shape = fields.get(name) ?? textShape;
    const inside: Place = { element: child, in: place, name };
    if (shape.kind === 'list') {
      const known = values[name];
      values[name] = readItems(shape, inside, { reading, items: Array.isArray(known) ? known : [] });
    } else {
      if (Object.hasOwn(values, name)) refuse(inside, 'is given more than once');
      setField(values, name, valueOf(shape, inside, reading));
    }
  }
  const ownText = element.text.trim();
  if (ownText !== '' && fields.has('value') && !Object.hasOwn(values, 'value')) values['value'] = element.text;
  else if (ownText !== '' && fields.size > 0) refuse(place, 'holds text between its elements');
  return values;
}

/** Sets a field, whatever its name: an assignment to `__proto__` would lose it without a word. */
function setField(values: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') values[name] = value;
  else Object.defineProperty(values, name, { value, enumerable: true, configurable: true, writable: true });
}

interface ListSoFar {
  readonly reading: Reading;
  readonly items: unknown[];
}

/** Adds the items of one more element to those of a list, and returns the list. */
function readItems(shape: ListShape, place: Place, { reading, items }: ListSoFar): unknown[] {
  if (items.length === 0) reading.places.push(place);
  for (const element of itemsOf(shape, place.element)) {
    items.push(valueOf(shape.item, { element, in: place, name: items.length }, reading));
  }
  return items;
}
