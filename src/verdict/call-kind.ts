/** A kind of call that is expected, made ready once: asking it of many calls costs little. */
import { pathPattern } from '../core/path-pattern.ts';
import { formsOf } from '../resources/named-contacts.ts';
import type { Asked } from '../scenario/asked.ts';
import type { ExpectedCall } from '../scenario/expected-call-schema.ts';
import { fieldPath } from '../scenario/field-path.ts';
import { isFixed } from '../scenario/matching.ts';
import { shownValue, wantedOf } from '../scenario/wanted.ts';
import type { Wanted } from '../scenario/wanted.ts';
import { isFromScript } from './script-step.ts';

/** A place in a call, and what is wanted of what stands there. */
export interface Field {
  readonly name: string;
  readonly wanted: Pick<Wanted, 'isMet' | 'isMetByNothing' | 'values'>;
  readonly valuesIn: (asked: Asked) => readonly unknown[];
  /** What stands there instead, in words. */
  readonly whyNot: (values: readonly unknown[]) => string;
}

export interface CallKind {
  readonly written: ExpectedCall;
  /** Whether a call went to the endpoint or path that is meant. */
  readonly isPlace: (asked: Asked) => boolean;
  readonly fields: readonly Field[];
}

export const callKind = (written: ExpectedCall): CallKind => ({
  written,
  isPlace: placeTest(written),
  fields: fieldsOf(written),
});

/** How a call that went to the right place differs from those meant, in words. */
export const requestDifferences = ({ fields }: CallKind, asked: Asked): string[] =>
  fields.flatMap((field) => {
    const values = field.valuesIn(asked);
    return isMetByOne(field, values) ? [] : [field.whyNot(values)];
  });

export const isMeant = ({ fields }: CallKind, asked: Asked): boolean =>
  fields.every((field) => isMetByOne(field, field.valuesIn(asked)));

const isMetByOne = ({ wanted: { isMet, isMetByNothing } }: Field, values: readonly unknown[]): boolean =>
  values.length === 0 ? isMetByNothing : values.some(isMet);

function placeTest({ endpoint, method, path }: ExpectedCall): CallKind['isPlace'] {
  const ids = endpoint === undefined ? undefined : new Set<string | undefined>([endpoint].flat());
  const verb = method?.toUpperCase();
  const fits = path === undefined || isFixed(path) ? (called: string) => called === path : pathPattern(path);
  return ({ call: { endpoint: id, exchange } }) =>
    (ids === undefined || ids.has(id)) &&
    (verb === undefined || verb === exchange.method) &&
    (path === undefined || exchange.path === path || fits(exchange.path));
}

function fieldsOf({ query = {}, headers = {}, body = {}, contact, by }: ExpectedCall): Field[] {
  return [
    ...Object.entries(query).map(([name, value]) =>
      field(`query.${name}`, asText(value), (asked) => asked.query.getAll(name)),
    ),
    ...Object.entries(headers).map(([name, value]) =>
      field(`header.${name}`, asText(value), ({ call }) => [call.header(name) ?? []].flat()),
    ),
    ...Object.entries(body).map(([path, value]) => bodyField(path, value)),
    ...(contact === undefined ? [] : [contactField(contact)]),
    ...(by === undefined ? [] : [senderField(by)]),
  ];
}

/** Parameters and headers are texts, whatever they are compared with. */
const asText = (written: unknown): unknown => (typeof written === 'boolean' ? String(written) : written);

const field = (name: string, written: unknown, valuesIn: Field['valuesIn']): Field => ({
  name,
  wanted: wantedOf(written),
  valuesIn,
  whyNot: (values) => `${name} is ${shownValue(values.length > 1 ? values : values[0])}`,
});

function bodyField(path: string, written: unknown): Field {
  const read = fieldPath(path);
  const name = path.startsWith('[') ? `body${path}` : `body.${path}`;
  return field(name, written, ({ body }) => read?.valuesIn(body) ?? []);
}

function contactField(contact: string): Field {
  const forms = formsOf(contact);
  return {
    name: 'contact',
    wanted: { isMet: (form) => forms.some((one) => one === form), isMetByNothing: false, values: forms },
    valuesIn: ({ contacts }) => [...contacts],
    whyNot: () => 'it is not about this contact',
  };
}

const senderField = (by: NonNullable<ExpectedCall['by']>): Field => ({
  name: 'by',
  wanted: { isMet: (sender) => sender === by, isMetByNothing: false, values: [by] },
  valuesIn: (asked) => [isFromScript(asked) ? 'script' : 'client'],
  whyNot: ([sender]) => `it was sent by a ${String(sender)}`,
});
