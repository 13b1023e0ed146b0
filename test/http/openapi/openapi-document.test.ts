import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import * as z from '../../../src/core/validation/deferred-zod.ts';
import { apiResponse, endpoint } from '../../../src/core/exchange/endpoint.ts';
import { buildOpenApi } from '../../../src/http/openapi/openapi-document.ts';
import { endpoints } from '../../../src/service/endpoints.ts';
import { caseInsensitiveEnum } from '../../../src/core/validation/field-types.ts';
import { openEmptySim } from '../../support/open-sim.ts';

const serverUrl = 'http://127.0.0.1:4010';

/** The document of one made-up endpoint, as plain JSON. */
function documentOf(parts: object) {
  const made = endpoint({
    id: 'findThings',
    method: 'GET',
    path: '/api/v3/things/{thingId}',
    tag: 'Things',
    summary: 'Finds things',
    responses: { 200: z.object({ id: z.guid() }) },
    retry: 'safe',
    examples: [{ params: { thingId: '7' }, query: { colour: 'red' }, status: 200 }],
    handle: () => apiResponse(200, {}),
    ...parts,
  });
  return JSON.parse(JSON.stringify(buildOpenApi({ endpoints: [made], serverUrl, version: '1.2.3' })));
}

it('the document is valid OpenAPI 3.1', async () => {
  const document = buildOpenApi({ endpoints, serverUrl, version: '1.2.3' });
  const { valid, errors } = await new Validator().validate(JSON.parse(JSON.stringify(document)));
  expect(errors).toBeUndefined();
  expect(valid).toBe(true);
});

it('the document refers to nothing that it does not hold', () => {
  const text = JSON.stringify(buildOpenApi({ endpoints, serverUrl, version: '1.2.3' }));
  const { components } = JSON.parse(text);
  const referred = [...text.matchAll(/"\$ref":"#\/components\/(\w+)\/(\w+)"/g)];
  expect(referred.filter(([, kind = '', name = '']) => !(name in components[kind])).map(([all]) => all)).toEqual([]);
  expect(referred.length).toBe(text.match(/"\$ref"/g)?.length);
});

describe('the OpenAPI document', () => {
  it('shows each path of an endpoint, aliases under an operation id of their own', () => {
    const { paths } = documentOf({ aliases: ['/things/{thingId}'] });
    const ids = Object.entries<Record<string, { operationId: string }>>(paths).map(([path, { get }]) => [
      path,
      get?.operationId,
    ]);
    expect(ids).toEqual([
      ['/api/v3/things/{thingId}', 'findThings'],
      ['/things/{thingId}', 'findThingsAlias'],
    ]);
  });

  it('shows parameters one by one, with the words and bounds that are accepted', () => {
    const query = z.object({
      colour: caseInsensitiveEnum(['red', 'blue']).describe('Of the thing'),
      count: z.coerce.number().int().min(1).default(100),
      day: z.string().transform(Number).optional(),
    });
    expect(documentOf({ query }).paths['/api/v3/things/{thingId}'].get.parameters).toEqual([
      { name: 'thingId', in: 'path', required: true, schema: { type: 'string' }, example: '7' },
      {
        name: 'colour',
        in: 'query',
        required: true,
        description: 'Of the thing',
        schema: { type: 'string', enum: ['red', 'blue'] },
        example: 'red',
      },
      { name: 'count', in: 'query', required: false, schema: { type: 'integer', minimum: 1, default: 100 } },
      { name: 'day', in: 'query', required: false, schema: { type: 'string' } },
    ]);
  });

  it('shows what may be sent, with its examples', () => {
    const body = z.object({ size: z.number().default(1), name: z.string() });
    const examples = [{ params: { thingId: '7' }, body: { name: 'a' }, status: 200 }];
    const { requestBody } = documentOf({ method: 'POST', body, examples }).paths['/api/v3/things/{thingId}'].post;
    expect(requestBody).toEqual({
      required: true,
      content: {
        'application/json': {
          schema: {
            title: 'FindThingsRequest',
            type: 'object',
            properties: { size: { type: 'number', default: 1 }, name: { type: 'string' } },
            required: ['name'],
          },
          examples: { example1: { value: { name: 'a' } } },
        },
      },
    });
  });

  it('lists the refusals of each status by their codes', () => {
    const { responses } = documentOf({ errors: ['ContactNotFound', 'BatchNotFound'] }).paths['/api/v3/things/{thingId}']
      .get;
    expect(responses['404']['x-errors']).toEqual(['ContactNotFound', 'BatchNotFound']);
    expect(responses['404'].description).toContain('`ContactNotFound`: There is no such contact.');
    expect(Object.keys(responses)).toEqual(['200', '400', '401', '403', '404', '429', '500']);
  });

  it('shows the only refusal of a status once for all endpoints', () => {
    const { paths, components } = documentOf({});
    const { responses } = paths['/api/v3/things/{thingId}'].get;
    expect(responses['401']).toEqual({ $ref: '#/components/responses/Unauthorized' });
    expect(components.responses.Unauthorized['x-errors']).toEqual(['Unauthorized']);
  });

  it('shows validation errors under the status that A-15 may give them too', () => {
    const { responses } = documentOf({ query: z.object({ colour: z.string() }) }).paths['/api/v3/things/{thingId}'].get;
    expect(responses['422']).toEqual({ $ref: '#/components/responses/ValidationError' });
  });

  it.each([
    ['/contactoverview?contactType=Member&email=a', 'InvalidEmailAddress'],
    ['/__admin/clock?tenant=nobody', 'NotFound'],
  ])('declares how %s is refused', async (call, code) => {
    const { get } = await openEmptySim();
    const { status, body } = await get(call);
    const { paths, components } = (await get('/__admin/openapi.json')).body;
    const { $ref, ...shown } = paths[call.replace(/\?.*/, '')].get.responses[status];
    const response = $ref ? components.responses[$ref.split('/').at(-1)] : shown;
    expect([body.errorCode, response['x-errors'].includes(code)]).toEqual([code, true]);
  });

  it('refuses to show a refusal that is not in the catalogue', () => {
    expect(() => documentOf({ errors: ['NoSuchThing'] })).toThrow('findThings responds with "NoSuchThing"');
  });

  it('puts a schema that bears an id once, under components', () => {
    const thing = z.object({ id: z.string() }).meta({ id: 'TestThing' });
    const { paths, components } = documentOf({ responses: { 200: z.array(thing), 202: thing } });
    const { responses } = paths['/api/v3/things/{thingId}'].get;
    const reference = { $ref: '#/components/schemas/TestThing' };
    expect(responses['200'].content['application/json'].schema).toEqual({ type: 'array', items: reference });
    expect(responses['202'].content['application/json'].schema).toEqual(reference);
    expect(components.schemas.TestThing.properties).toEqual({ id: { type: 'string' } });
  });

  it('asks for what the default reading of an assumption asks for, and says where it would not', () => {
    const { paths } = JSON.parse(JSON.stringify(buildOpenApi({ endpoints, serverUrl, version: '1.2.3' })));
    const { schema } = paths['/api/v3/receipts'].post.requestBody.content['application/json'];
    expect(schema.required).toContain('uniqueReceiptId');
    expect(schema.properties.uniqueReceiptId).toEqual({
      description: 'Required, unless A-21 is set to lenient',
      type: 'string',
      minLength: 1,
    });
    expect(
      schema.properties.usedPromotions.anyOf[0].items.oneOf.map(({ required }: { required: string[] }) => required),
    ).toEqual([['couponId'], ['promotionId']]);
    expect(paths['/orders'].post.requestBody.content['application/json'].schema.properties.orderNumber.type).toBe(
      'string',
    );
    const { items } = schema.properties.paymentMethods;
    expect([items.required, items.properties.type.type, items.properties.description.type]).toEqual([
      ['type', 'value'],
      'string',
      ['string', 'null'],
    ]);
  });

  it.each(['/__admin/requests', '/__admin/faults', '/__admin/scenario', '/__admin/webhooks/faults'])(
    'says that there may be no tenant to DELETE %s of',
    async (path) => {
      const { call, get } = await openEmptySim();
      const { paths } = (await get('/__admin/openapi.json')).body;
      const { status } = await call('DELETE', `${path}?tenant=none`);
      expect([status, Object.keys(paths[path].delete.responses)]).toEqual([404, expect.arrayContaining(['404'])]);
    },
  );
});
