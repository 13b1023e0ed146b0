import { describe, expect, it } from 'vitest';
import { endpoints } from '../../src/service/endpoints.ts';
import { errorCatalog } from '../../src/service/errors/catalog.ts';
import { row } from '../support/points.ts';
import { statusesOfFaults } from './divergences.ts';
import { codeOf } from './matching.ts';
import { sources } from './sources.ts';
import { errors } from './spec/errors.ts';
import { limits } from './spec/limits.ts';
import { openPointsSim } from '../support/open-sim.ts';

const catalogue: Readonly<Record<string, { readonly status: number; readonly source: string }>> = errorCatalog;
const declared = new Set(endpoints.flatMap((endpoint) => endpoint.errors ?? []));

/** Whether a name of a row is a code that some endpoint refuses with, with one of the row's statuses. */
const isRefused = (name: string, statuses: readonly number[]): boolean =>
  declared.has(codeOf(name)) && statuses.includes(catalogue[codeOf(name)]?.status ?? 0);

describe('the simulator', () => {
  it('refuses with the status and code of every error row', () => {
    const missing = errors.filter(({ names, statuses }) => names.some((name) => !isRefused(name, statuses)));
    expect(missing.map(({ id }) => id)).toEqual([]);
  });

  it.each(limits)('holds $id: $value', async ({ appliesTo, atMost }) => {
    const { post } = await openPointsSim();
    const path = appliesTo.replace('POST /', '/api/v3/');
    const statuses = [atMost, atMost + 1].map(
      async (length) =>
        (
          await post(
            path,
            Array.from({ length }, () => row()),
          )
        ).status,
    );
    expect(await Promise.all(statuses)).toEqual([202, 400]);
  });

  it('declares refusals that are in the catalogue', () => {
    expect([...declared].filter((code) => !(code in catalogue))).toEqual([]);
  });

  it('says of every code where it comes from', () => {
    const unfounded = Object.entries(catalogue).filter(
      ([, { source }]) => !/^(Errors|Limits|HTTP|security|control API|A-\d\d)/.test(source),
    );
    expect(unfounded).toEqual([]);
  });
});

it('the catalogue has a code for every status of the error table but those of faults', () => {
  const statuses = new Set(Object.values(catalogue).map(({ status }) => status));
  const missing = errors.flatMap(({ statuses: listed }) => listed).filter((status) => !statuses.has(status));
  expect(missing).toEqual(statusesOfFaults);
});

it('the catalogue has no code that nothing refuses with', () => {
  const throwing = sources.filter(({ path }) => !/(endpoints|openapi)\.ts$/.test(path));
  const thrown = (code: string): boolean => throwing.some(({ text }) => text.includes(`'${code}'`));
  expect(Object.keys(catalogue).filter((code) => !thrown(code))).toEqual([]);
});
