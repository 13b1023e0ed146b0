/** A kind of call that is expected, made ready once: asking it of many calls costs little. */
import { compilePathTemplate } from '../../core/exchange/path-template.ts';
import { referenceForms } from '../../service/contact-references.ts';
import type { RequestView } from '../../matching/request-view.ts';
import type { ExpectedRequest } from '../../scenario/expectations/expected-request-schema.ts';
import { compileJsonPath } from '../../matching/json-path.ts';
import { isLiteralPath } from '../../matching/request-matcher.ts';
import { formatValue, compileValueMatcher } from '../../matching/value-matcher.ts';
import { stepHeader } from '../history/attempt.ts';
import type { ValueMatcher } from '../../matching/value-matcher.ts';

export const isFromScript = ({ call }: RequestView): boolean => call.header(stepHeader) !== undefined;

/** A place in a call, and what is wanted of what stands there. */
export interface FieldPattern {
  readonly name: string;
  readonly matcher: Pick<ValueMatcher, 'matches' | 'matchesAbsent' | 'literals'>;
  readonly valuesIn: (asked: RequestView) => readonly unknown[];
  /** What stands there instead, in words. */
  readonly describeMismatch: (values: readonly unknown[]) => string;
}

export interface RequestPattern {
  readonly spec: ExpectedRequest;
  /** Whether a call went to the endpoint or path that is meant. */
  readonly matchesTarget: (asked: RequestView) => boolean;
  readonly fields: readonly FieldPattern[];
}

export const compileRequestPattern = (written: ExpectedRequest): RequestPattern => ({
  spec: written,
  matchesTarget: compileTarget(written),
  fields: fieldsOf(written),
});

/** How a call that went to the right place differs from those meant, in words. */
export const requestDifferences = ({ fields }: RequestPattern, asked: RequestView): string[] =>
  fields.flatMap((field) => {
    const values = field.valuesIn(asked);
    return matchesAny(field, values) ? [] : [field.describeMismatch(values)];
  });

export const matchesFields = ({ fields }: RequestPattern, asked: RequestView): boolean =>
  fields.every((field) => matchesAny(field, field.valuesIn(asked)));

const matchesAny = (
  { matcher: { matches: isMet, matchesAbsent: isMetByNothing } }: FieldPattern,
  values: readonly unknown[],
): boolean => (values.length === 0 ? isMetByNothing : values.some(isMet));

function compileTarget({ endpoint, method, path }: ExpectedRequest): RequestPattern['matchesTarget'] {
  const ids = endpoint === undefined ? undefined : new Set<string | undefined>([endpoint].flat());
  const verb = method?.toUpperCase();
  const fits =
    path === undefined || isLiteralPath(path) ? (called: string) => called === path : compilePathTemplate(path);
  return ({ call: { endpoint: id, exchange } }) =>
    (ids === undefined || ids.has(id)) &&
    (verb === undefined || verb === exchange.method) &&
    (path === undefined || exchange.path === path || fits(exchange.path));
}

function fieldsOf({ query = {}, headers = {}, body = {}, contact, by }: ExpectedRequest): FieldPattern[] {
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

const field = (name: string, written: unknown, valuesIn: FieldPattern['valuesIn']): FieldPattern => ({
  name,
  matcher: compileValueMatcher(written),
  valuesIn,
  describeMismatch: (values) => `${name} is ${formatValue(values.length > 1 ? values : values[0])}`,
});

function bodyField(path: string, written: unknown): FieldPattern {
  const read = compileJsonPath(path);
  const name = path.startsWith('[') ? `body${path}` : `body.${path}`;
  return field(name, written, ({ body }) => read?.valuesIn(body) ?? []);
}

function contactField(contact: string): FieldPattern {
  const forms = referenceForms(contact);
  return {
    name: 'contact',
    matcher: { matches: (form) => forms.some((one) => one === form), matchesAbsent: false, literals: forms },
    valuesIn: ({ contacts }) => [...contacts],
    describeMismatch: () => 'it is not about this contact',
  };
}

const senderField = (by: NonNullable<ExpectedRequest['by']>): FieldPattern => ({
  name: 'by',
  matcher: { matches: (sender) => sender === by, matchesAbsent: false, literals: [by] },
  valuesIn: (asked) => [isFromScript(asked) ? 'script' : 'client'],
  describeMismatch: ([sender]) => `it was sent by a ${String(sender)}`,
});
