import { beforeEach, describe, expect, it } from 'vitest';
import type { Sim } from '../../src/simulator/sim.ts';
import type { SimTenant } from '../../src/simulator/tenant-handle.ts';
import { startSim } from '../support/open-sim.ts';

let sim: Sim;
beforeEach(async () => {
  sim = await startSim({ fixtures: 'empty' });
});

/** Calls a method as JavaScript can, whatever its types say. */
const callOn = async (target: Sim | SimTenant | Sim['clock'] | Sim['faults'], name: string, args: readonly unknown[]) =>
  Reflect.apply(Reflect.get(target, name), undefined, args);

const options = 'tenant, expectations, clientEnded, failOnWarnings, reference';

describe('the library', () => {
  it.each([
    ['verdict', [[{ request: {} }]], `verdict: must be an object with ${options}, not a list`],
    ['verdict', [{ expectation: [] }], 'verdict: expectation: is not an option; did you mean "expectations"?'],
    ['verdict', [{ tennant: 'nope' }], 'verdict: tennant: is not an option; did you mean "tenant"?'],
    ['verdict', [{ clientEnded: 'no' }], 'verdict: clientEnded: must be true or false, not "no"'],
    ['verdict', [{ failOnWarnings: 'all' }], 'verdict: failOnWarnings: must be a list, not "all"'],
    [
      'reset',
      ['jurnal'],
      'reset: must be one of state, journal, faults, clock, queue, webhooks, not "jurnal"; did you',
    ],
    ['reset', [['journal']], 'reset: must be one of state, journal, faults, clock, queue, webhooks, not a list'],
    ['tenant', [{ name: 'till' }], 'tenant: must be a text, not an object'],
    ['listen', [4010], 'listen: must be an object with port, not 4010'],
    ['listen', [{ prot: 4010 }], 'listen: prot: is not an option; did you mean "port"?'],
    [
      'explore',
      [async () => {}, { exhaustiv: true }],
      'explore: exhaustiv: is not an option; did you mean "exhaustive"?',
    ],
    ['explore', [{}], 'explore: must be a function, not an object'],
  ])('refuses sim.%s(%j)', async (name, args, message) => {
    await expect(callOn(sim, name, args)).rejects.toThrow(message);
  });

  it.each([
    ['verdict', [{ clientEnded: true }], 'verdict: expectations: must be a list, not an object'],
    ['reset', ['state', 'jurnal'], 'not "jurnal"; did you mean "journal"?'],
  ])('refuses tenant.%s(%j)', async (name, args, message) => {
    await expect(callOn(sim.tenant(), name, args)).rejects.toThrow(message);
  });

  it.each([
    ['add', [{ fault: '504' }, { tennant: 'a' }], 'faults.add: tennant: is not an option; did you mean "tenant"?'],
    ['add', [{ fault: '504' }, 'a'], 'faults.add: must be an object with tenant, not "a"'],
    ['clear', ['a'], 'faults.clear: must be an object with tenant, not "a"'],
  ])('refuses sim.faults.%s(%j)', async (name, args, message) => {
    await expect(callOn(sim.faults, name, args)).rejects.toThrow(message);
  });

  it.each([
    ['advance', [{ days: 30 }]],
    ['advance', []],
    ['set', [1_772_366_400_000]],
    ['set', []],
    ['freeze', [{ at: '2026-03-01T12:00:00Z' }]],
  ])('refuses sim.clock.%s(%j)', async (name, args) => {
    await expect(callOn(sim.clock, name, args)).rejects.toThrow(/^clock[^ ]*: must be /);
  });
});
