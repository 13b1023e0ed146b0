import * as z from '../../src/core/validation/deferred-zod.ts';
import type { AnyEndpoint } from '../../src/core/exchange/endpoint.ts';
import { adminEndpoints } from '../../src/admin/endpoints.ts';
import { list, page } from './page.ts';
import { code } from './table.ts';

interface Property {
  readonly description?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly items?: Property;
}

interface Shape {
  readonly properties?: Readonly<Record<string, Property>>;
  readonly oneOf?: readonly Shape[];
}

const wordOf = ({ description, enum: values, items }: Property): string | undefined =>
  description ?? values?.map((value) => code(String(value))).join(', ') ?? (items && wordOf(items));

function fieldLine([name, property]: readonly [string, Property]): string {
  const word = wordOf(property);
  return word === undefined ? code(name) : `${code(name)}: ${word}`;
}

/** Describes one of the objects that a body may be, distinguished by its first field. */
function variantLine({ properties = {} }: Shape): string {
  const [[name, first] = ['', {}], ...rest] = Object.entries(properties);
  return `${code(JSON.stringify({ [name]: first.const }))} with ${rest.map(([field]) => code(field)).join(', ')}`;
}

/** Describes the fields of an object; whose it is about is said once for all of them. */
function told(schema: z.ZodType | undefined): string[] {
  if (!schema) return [];
  // A JSON schema may be anything; of ours these keywords are read.
  const shape = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Shape;
  if (shape.oneOf) return shape.oneOf.map(variantLine);
  return Object.entries(shape.properties ?? {})
    .filter(([name]) => name !== 'tenant')
    .map(fieldLine);
}

/** Names the page that a kind of fields has of its own, by the endpoint that takes it. */
const elsewhere: Readonly<Record<string, string>> = {
  addFault: 'a [rule](faults.md#rules)',
  replaceScenario: 'a [scenario](scenarios.md#the-file) as JSON',
  addWebhookFault: 'a [rule about webhooks](webhooks.md#when-it-goes-wrong)',
  verify: 'an [expectation](running-scenarios.md#expectations), `{"expectations":[…]}`, or nothing',
};

function examplesOf({ examples }: AnyEndpoint): string[] {
  const bodies = examples.flatMap(({ body, status }) => (body === undefined || status >= 400 ? [] : [body]));
  return bodies.slice(0, 2).map((body) => code(JSON.stringify(body)));
}

function callPart(endpoint: AnyEndpoint): string {
  const query = told(endpoint.query);
  const words = elsewhere[endpoint.id];
  const body = words === undefined ? told(endpoint.body) : [];
  const examples = examplesOf(endpoint);
  const parts = [
    `### ${code(`${endpoint.method} ${endpoint.path}`)}`,
    `${endpoint.summary}.`,
    ...(query.length > 0 ? [`In the query:\n\n${list(query)}`] : []),
    ...(words === undefined ? [] : [`The body is ${words}.`]),
    ...(body.length > 0 ? [`In the body:\n\n${list(body)}`] : []),
    ...(examples.length > 0 ? [`As ${examples.join(', ')}.`] : []),
  ];
  return parts.join('\n\n');
}

const section = (tag: string): string =>
  [
    `## ${tag.replace(/^Control: (.)/, (_, letter: string) => letter.toUpperCase())}`,
    ...adminEndpoints.filter((endpoint) => endpoint.tag === tag).map(callPart),
  ].join('\n\n');

/** Returns docs/control-api.md. */
export const controlApiPage = (): string =>
  page('control-api', 'the endpoints of src/admin', {
    calls: [...new Set(adminEndpoints.map(({ tag }) => tag))].map(section).join('\n\n'),
  });
