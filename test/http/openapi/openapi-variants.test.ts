/** The document of the service alone, its OpenAPI 3.0, and its Postman collection. */
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, it } from 'vitest';
import { buildOpenApi } from '../../../src/http/openapi/openapi-document.ts';
import { serviceDocument, toOpenApi30, toPostman } from '../../../src/http/openapi/openapi-variants.ts';
import type { OpenApiDocument } from '../../../src/http/openapi/openapi-variants.ts';
import { adminEndpoints } from '../../../src/admin/endpoints.ts';
import { endpoints } from '../../../src/service/endpoints.ts';
import { openSim } from '../../support/open-sim.ts';

const whole = buildOpenApi({
  endpoints,
  adminEndpoints,
  serverUrl: 'http://127.0.0.1:4010',
  version: '1.2.3',
}) as OpenApiDocument;
const service = serviceDocument(whole);
const validate = async (document: object) => {
  const { valid, errors } = await new Validator().validate(structuredClone(document) as Record<string, unknown>);
  return { valid, errors };
};

const references = (document: object): string[] =>
  [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, to = '']) => to);

it('each tag of the document says what it is about', () => {
  expect(whole.tags.filter((tag) => !('description' in tag))).toEqual([]);
});

it('the document of the service has its endpoints alone, and what they refer to', async () => {
  expect(Object.keys(service.paths)).toEqual(Object.keys(whole.paths).filter((path) => !path.startsWith('/__admin')));
  const names = Object.entries(service.components).flatMap(([kind, all]) =>
    kind === 'securitySchemes' ? [] : Object.keys(all).map((name) => `#/components/${kind}/${name}`),
  );
  expect(new Set(references(service))).toEqual(new Set(names));
  expect(service.components['securitySchemes']).not.toHaveProperty('adminKey');
  expect(JSON.stringify(service.tags)).not.toContain('Control');
  expect(await validate(service)).toEqual({ valid: true });
});

it.each([
  ['whole', whole],
  ['of the service', service],
])('the document as OpenAPI 3.0, %s, is valid and has no word of 3.1', async (_, document) => {
  const older = toOpenApi30(document);
  expect(older).toMatchObject({ openapi: '3.0.3' });
  expect(await validate(older)).toEqual({ valid: true });
  const text = JSON.stringify(older, (name, value) => (name.endsWith('examples') ? undefined : value));
  expect(text).not.toMatch(/"(?:const|prefixItems|propertyNames)":|"type":\[|"type":"null"|"exclusiveMinimum":\d/);
  expect(references(older).length).toBeGreaterThan(100);
});

it.each([
  [{ type: ['string', 'null'] }, { type: 'string', nullable: true }],
  [{ type: ['string', 'integer'] }, {}],
  [{ anyOf: [{ type: 'string' }, { type: 'object' }] }, {}],
  [
    { oneOf: [{ type: 'string', minLength: 2 }, { type: 'string' }, { type: 'null' }] },
    { type: 'string', nullable: true },
  ],
  [{ anyOf: [{ $ref: '#/x' }, { $ref: '#/y' }] }, { anyOf: [{ $ref: '#/x' }, { $ref: '#/y' }] }],
  [{ type: 'number', default: 0 }, { type: 'number' }],
  [
    { type: ['string', 'null'], default: null },
    { type: 'string', nullable: true },
  ],
  [
    { type: 'string', const: 'A' },
    { type: 'string', enum: ['A'] },
  ],
  [{ anyOf: [{ $ref: '#/x' }, { type: 'null' }] }, { allOf: [{ $ref: '#/x' }], nullable: true }],
  [{ anyOf: [{ type: 'integer' }, { type: 'null' }] }, { type: 'integer', nullable: true }],
  [
    { $ref: '#/x', description: 'a' },
    { description: 'a', allOf: [{ $ref: '#/x' }] },
  ],
  [
    { type: 'number', exclusiveMinimum: 0 },
    { type: 'number', minimum: 0, exclusiveMinimum: true },
  ],
  [
    { type: 'object', properties: { const: true } },
    { type: 'object', properties: { const: {} } },
  ],
])('the schema %j is %j in OpenAPI 3.0', (schema, older) => {
  const document = { ...whole, paths: {}, components: { schemas: { It: schema } } };
  expect(toOpenApi30(document)).toMatchObject({ components: { schemas: { It: older } } });
  expect((toOpenApi30(document) as OpenApiDocument).components['schemas']?.['It']).toEqual(older);
});

interface PostmanRequest {
  readonly method: string;
  readonly header: readonly { readonly key: string; readonly value: string }[];
  readonly body?: { readonly raw: string };
  readonly url: {
    readonly raw: string;
    readonly variable: readonly { readonly key: string; readonly value: string }[];
  };
}

it('the collection has a request for each operation, which is served as its example says', async () => {
  const { item } = toPostman(service) as { item: { item: { name: string; request: PostmanRequest }[] }[] };
  const operations = Object.values(service.paths).flatMap((methods) => Object.values(methods));
  const requests = item.flatMap((folder) => folder.item);
  expect(requests).toHaveLength(operations.length);
  for (const { name, request } of requests) {
    const { method, url, header, body } = request;
    const path = url.variable.reduce((raw, { key, value }) => raw.replace(`:${key}`, value), url.raw);
    const { call } = await openSim();
    const { status, body: answer } = await call(method, path.replace('{{baseUrl}}', ''), {
      headers: Object.fromEntries(header.map(({ key, value }) => [key.toLowerCase(), value])),
      ...(body && { body: JSON.parse(body.raw) as object }),
    });
    const expected = operations.find((operation) => operation.summary === name)?.['x-examples'][0];
    expect(status, JSON.stringify(answer)).toBe((expected as { status?: number } | undefined)?.status);
  }
});
