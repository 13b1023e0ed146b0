import * as z from '../../src/core/validation/deferred-zod.ts';
import type { AnyEndpoint, EndpointExample } from '../../src/core/exchange/endpoint.ts';
import { adminEndpoints } from '../../src/admin/endpoints.ts';
import { page } from './page.ts';
import { code, fieldTable, marked, table, withoutDefault } from './table.ts';
import { valuesOf } from './values.ts';
import type { Property, Shape } from './values.ts';

/** Says what a text must be, where its schema does not say it. */
const valuesByName: Readonly<Record<string, string>> = {
  advance: 'a duration',
  combine: 'a duration',
  fault: 'a text',
  for: 'a duration',
  wait: 'a duration',
};

function fieldRow([name, property]: readonly [string, Property], isRequired: boolean): string[] {
  const { words, standard } = withoutDefault(property.description ?? '');
  const said = property.default === undefined ? standard : code(String(property.default));
  return [code(name), valuesByName[name] ?? valuesOf(property), isRequired ? 'required' : said, marked(words)];
}

const shapeOf = (schema: z.ZodType): Shape =>
  // A JSON schema may be anything; of ours these keywords are read.
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Shape;

/** The fields of an object, and those of the objects in it. */
function fieldRows({ properties = {}, required = [] }: Shape, above = ''): string[][] {
  return Object.entries(properties).flatMap(([name, property]) => {
    const path = `${above}${name}`;
    return [fieldRow([path, property], required.includes(name)), ...fieldRows(property, `${path}.`)];
  });
}

/** The tenant that a request is about is said once for all of them. */
const isTold = ([name]: readonly string[]): boolean => name !== code('tenant');

/** A row for each field of the objects that a body may be, with the objects that have it, by their first field. */
function variantTable(variants: readonly Shape[]): string {
  const named = variants.map(({ properties = {}, required = [] }) => {
    const [[kind, { const: value }] = ['', {}], ...fields] = Object.entries(properties);
    return { kind, value: code(String(value)), fields, required };
  });
  const names = [...new Set(named.flatMap(({ fields }) => fields.map(([name]) => name)))];
  const rows = names.map((name) => {
    const having = named.filter(({ fields }) => fields.some(([field]) => field === name));
    const entry = having[0]?.fields.find(([field]) => field === name);
    const [label = '', values = '', , words = ''] = entry ? fieldRow(entry, false) : [];
    return [label, values, having.map(({ value }) => value).join(', '), words];
  });
  const kind = named[0]?.kind ?? '';
  return [
    `${code(kind)} is ${named.map(({ value }) => value).join(', ')}. The other fields belong to some of them:`,
    fieldTable(['Field', 'Values', `Belongs to`, 'Meaning'], rows),
  ].join('\n\n');
}

/** Names the page that a kind of fields has of its own, by the endpoint that takes it. */
const elsewhere: Readonly<Record<string, string>> = {
  addFault: 'a [rule](faults.md#rules)',
  addImportFault: 'a [rule about files](receipt-files.md#faults)',
  replaceScenario: 'a [scenario](scenarios.md#the-file) as JSON, or the name of a built-in one',
  addWebhookFault: 'a [rule about webhooks](webhooks.md#when-it-goes-wrong)',
  verify: 'an [expectation](running-scenarios.md#expectations), `{"expectations":[…]}`, or nothing',
};

function exampleLine({ method, path }: AnyEndpoint, { params = {}, query, body }: EndpointExample): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '');
  const address = `localhost:4010${filled}${query ? `?${new URLSearchParams(query)}` : ''}`;
  return [
    'curl',
    ...(method === 'GET' || (method === 'POST' && body !== undefined) ? [] : [`-X ${method}`]),
    query ? `'${address}'` : address,
    ...(body === undefined ? [] : [`-d '${JSON.stringify(body)}'`]),
  ].join(' ');
}

/** The requests that a test sends: those that say more than the address. */
function exampleBlock(endpoint: AnyEndpoint): string[] {
  const telling = endpoint.examples.filter(({ body, query }) => body !== undefined || query !== undefined);
  const lines = telling.slice(0, 2).map((example) => exampleLine(endpoint, example));
  return lines.length === 0 ? [] : [`\`\`\`sh\n${lines.join('\n')}\n\`\`\``];
}

function bodyParts({ id, body }: AnyEndpoint): string[] {
  const words = elsewhere[id];
  if (words !== undefined) return [`The body is ${words}.`];
  if (!body) return [];
  const shape = shapeOf(body);
  if (shape.oneOf) return [variantTable(shape.oneOf)];
  return [fieldTable(['In the body', 'Values', 'Default', 'Meaning'], fieldRows(shape))];
}

function queryParts({ query }: AnyEndpoint): string[] {
  const rows = query ? fieldRows(shapeOf(query)).filter(isTold) : [];
  return rows.length === 0 ? [] : [fieldTable(['In the query', 'Values', 'Default', 'Meaning'], rows)];
}

const nameOf = ({ method, path }: AnyEndpoint): string => code(`${method} ${path}`);

function detailPart(endpoint: AnyEndpoint): string[] {
  const fields = [...queryParts(endpoint), ...bodyParts(endpoint)];
  if (fields.length === 0) return [];
  return [[`### ${nameOf(endpoint)}`, ...exampleBlock(endpoint), ...fields].join('\n\n')];
}

function section(tag: string): string {
  const endpoints = adminEndpoints.filter((endpoint) => endpoint.tag === tag);
  return [
    `## ${tag.replace(/^Control: (.)/, (_, letter: string) => letter.toUpperCase())}`,
    table(
      ['Request', 'What it does'],
      endpoints.map((endpoint) => [nameOf(endpoint), endpoint.summary]),
    ),
    ...endpoints.flatMap(detailPart),
  ].join('\n\n');
}

/** Returns docs/control-api.md. */
export const controlApiPage = (): string =>
  page('control-api', 'the endpoints of src/admin', {
    calls: [...new Set(adminEndpoints.map(({ tag }) => tag))].map(section).join('\n\n'),
  });
