import { describe, expect, it } from 'vitest';
import { createSim } from '../../src/simulator/create-sim.ts';
import type { SimOptions } from '../../src/simulator/options.ts';

// What JavaScript can write, and no type lets through.
const made = (options: object): Promise<unknown> => createSim(options as SimOptions);

describe('an option that can’t be as it is', () => {
  it.each<[object, string]>([
    [{ fixture: 'empty' }, 'fixture: is not an option; did you mean "fixtures"?'],
    [{ withMaster: true }, 'withMaster: is not an option; it is called "withPointMaster" now'],
    [{ onFault: () => {} }, 'onFault: is not an option; it is called "onInternalError" now'],
    [{ onNote: () => {} }, 'onNote: is not an option; it is called "onWarning" now'],
    [{ onExchange: () => {} }, 'onExchange: is not an option; it is called "onRequest" now'],
    [{ onMasterEntry: () => {} }, 'onMasterEntry: is not an option; it is called "onPointMasterEvent" now'],
    [{ queueDelay: '15 minutes' }, 'queueDelay: must be a duration such as 500ms'],
    [{ queueDelay: Number.NaN }, 'queueDelay: must be a number of milliseconds, or a duration such as 500ms'],
    [{ queueDelay: 3155760000001 }, 'queueDelay: must be at most 36525d, not 3155760000001'],
    [{ seed: -1 }, 'seed: must be a whole number from 0 to 2147483647, not -1'],
    [{ mode: 'x', tenants: 'y' }, 'mode: must be one of standard, point-follower, not "x"; tenants: must be one of'],
    [{ onWarning: 'print' }, 'onWarning: must be a function, not "print"'],
    [{ apiKeys: 'planted-4711' }, 'apiKeys: must be a list of texts'],
    [
      { defaults: { fieldValidation: 'lax' } },
      'defaults.fieldValidation: must be one of ignore, warn, strict, not "lax"',
    ],
    [{ defaults: 'empty' }, 'defaults: must be an object, not "empty"'],
  ])('is told: %j', async (options, mistake) => {
    await expect(made(options)).rejects.toThrow(`createSim: ${mistake}`);
  });

  it('is told without the keys in it', async () => {
    await expect(made({ apiKeys: 'planted-4711', adminKey: 4711 })).rejects.not.toThrow('4711');
  });
});

it('an option that is undefined is none', async () => {
  await expect(made({ fixtures: 'empty', mode: undefined, defaults: { seed: undefined } })).resolves.toBeDefined();
});
