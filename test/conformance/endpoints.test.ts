import { describe, expect, it } from 'vitest';
import { assumptions } from '../../src/service/assumptions/catalog.ts';
import { endpoints } from '../../src/service/endpoints.ts';
import { endpointAdditions, endpointsCalled } from './divergences.ts';
import { servedBy } from './matching.ts';
import { endpoints as rows } from './spec/endpoints.ts';
import { filters } from './spec/transitions.ts';

describe('the simulator', () => {
  it('serves every row of the specification but the one that is called', () => {
    const missing = rows.filter((row) => !servedBy(row)).map(({ id }) => id);
    expect(missing).toEqual(endpointsCalled);
  });

  it('serves nothing that the specification lacks but the named additions', () => {
    const specified = new Set(rows.map((row) => servedBy(row)?.id));
    const added = endpoints.filter(({ id }) => !specified.has(id)).map(({ id }) => id);
    expect(added.toSorted()).toEqual(Object.keys(endpointAdditions).toSorted());
  });

  it('names an endpoint once', () => {
    const ids = endpoints.map(({ id }) => id);
    expect(ids.filter((id, i) => ids.indexOf(id) !== i)).toEqual([]);
  });

  it('serves the overview, consents and orders with and without the prefix (A-20)', () => {
    const served = endpoints.flatMap(({ method, path, aliases = [] }) =>
      [path, ...aliases].map((at) => `${method} ${at}`),
    );
    const both = ['GET /contactoverview', 'GET /consents', 'POST /orders', 'GET /orders/jobs/{jobId}'];
    expect(served).toEqual(expect.arrayContaining([...both, ...both.map((at) => at.replace('/', '/api/v3/'))]));
  });

  it('rests on assumptions that are in the registry', () => {
    const known = new Set<string>(assumptions.map(({ id }) => id));
    const named = endpoints.flatMap(({ id, assumptions: of = [] }) => of.map((assumption) => `${id} ${assumption}`));
    expect(named.filter((text) => !known.has(text.split(' ')[1] ?? ''))).toEqual([]);
  });
});

it.each(rows.filter((row) => servedBy(row)))('$id answers the statuses of its row', (row) => {
  const answers = Object.keys(servedBy(row)?.responses ?? {}).map(Number);
  const good = row.statuses.filter((status) => status < 300);
  expect(answers).toEqual(expect.arrayContaining(good));
});

it('files every endpoint under a section of the specification', () => {
  const sections = new Set<string>(rows.map(({ section }) => section));
  expect(endpoints.filter(({ tag }) => !sections.has(tag)).map(({ id }) => id)).toEqual([]);
});

const isServed = (id: string): boolean => rows.some((row) => row.id === id && servedBy(row));

it.each(filters.filter(({ endpoint }) => isServed(endpoint)))(
  '$id accepts the words of the specification',
  (filter) => {
    const row = rows.find(({ id }) => id === filter.endpoint);
    const query = row && servedBy(row)?.query;
    const given = (value: string) => query?.safeParse({ contactId: 'x', id: 'x', [filter.parameter]: value }).success;
    expect(filter.values.map(given)).toEqual(filter.values.map(() => true));
    expect(given('Elsewhere')).toBe(false);
    expect(query?.safeParse({ contactId: 'x', id: 'x' }).success).toBe(true);
  },
);
