/** Keys, words and names of the library that were replaced: each old one is answered with the new one, at its place. */
import { inspect } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/config.ts';
import { createMaster, createPointMaster } from '../../src/point-master/point-master.ts';
import { createSim } from '../../src/simulator/create-sim.ts';
import { parseScenarioFile } from '../../src/scenario/load.ts';
import { tidy } from '../support/command.ts';
import { folderWith } from '../support/folders.ts';
import { openSim } from '../support/open-sim.ts';

afterEach(tidy);

describe('the check of scenario and config files', () => {
  it.each([
    ['policy: { attempts: 4 }', '1:11: policy.attempts', 'maxAttempts'],
    ['policy: { minPause: 1s }', '1:11: policy.minPause', 'minBackoff'],
    ['policy: { volatile: [sentAt] }', '1:11: policy.volatile', 'ignoreFields'],
    ['policy: { window: 5m }', '1:11: policy.window', 'deduplicationWindow'],
    ['policy: { fallback: { after: 1m } }', '1:11: policy.fallback', 'storeAndForward'],
    ['policy: { storm: { perSecond: 20 } }', '1:11: policy.storm', 'retryStorm'],
    ['policy: { retryStorm: { perSecond: 20 } }', '1:25: policy.retryStorm.perSecond', 'maxPerSecond'],
    ['policy: { retryStorm: { atOnce: 4 } }', '1:25: policy.retryStorm.atOnce', 'maxConcurrent'],
    ['expectations: [{ call: { endpoint: createReceipt } }]', '1:18: expectations[0].call', 'request'],
    ['expectations: [{ noUnexpectedCalls: true }]', '1:18: expectations[0].noUnexpectedCalls', 'noUnexpectedRequests'],
    ['steps: [{ waitFor: { call: {} } }]', '1:22: steps[0].waitFor.call', 'request'],
    ['steps: [{ request: GET /x, expect: { fault: any } }]', '1:38: steps[0].expect.fault', 'networkError'],
    ['master: [{ fault: down }]', '1:1: master', 'pointMaster'],
    ['pointMaster: [{ match: { call: sync }, fault: stale-sync }]', '1:26: pointMaster[0].match.call', 'request'],
    ['assume: { A-24: twice }', '1:1: assume', 'assumptions'],
  ])('answers the old name in "%s" with the new one', (text, place, now) => {
    expect(() => parseScenarioFile({ name: 'till.yaml', text })).toThrow(
      `till.yaml:${place}: is not a field here; it is called "${now}" now`,
    );
  });

  it.each([
    ['expectations: [{ request: { delivered: whole } }]', '1:29: expectations[0].request.delivered', 'complete'],
    ['expectations: [{ request: { delivered: partly } }]', '1:29: expectations[0].request.delivered', 'partial'],
    ['expectations: [{ request: { delivered: nothing } }]', '1:29: expectations[0].request.delivered', 'none'],
    ['steps: [{ request: GET /x, expect: { networkError: cut } }]', '1:38: steps[0].expect.networkError', 'truncated'],
    [
      'steps: [{ request: GET /x, expect: { networkError: garbage } }]',
      '1:38: steps[0].expect.networkError',
      'invalid',
    ],
  ])('answers the old word in "%s" with the new one', (text, place, now) => {
    expect(() => parseScenarioFile({ name: 'till.yaml', text })).toThrow(
      new RegExp(`^till\\.yaml:${place.replaceAll(/[[\].]/g, String.raw`\$&`)}: .*; it is called "${now}" now$`, 'm'),
    );
  });

  it('answers an old name in the config file with the new one', () => {
    const folder = folderWith({ 'loyalty-sim.config.json': '{\n  "assume": { "A-24": "twice" }\n}\n' });
    expect(() => loadConfig({ folder, env: {} })).toThrow(
      'config.json:2:3: assume: is not an option; it is called "assumptions" now',
    );
  });

  it('answers an old name in options of createSim with the new one', async () => {
    const options = { assume: { 'A-24': 'twice' } } as object;
    await expect(createSim(options)).rejects.toThrow('assume: is not an option; it is called "assumptions" now');
  });

  it('answers an old name in a body of the control API with the new one', async () => {
    const { post } = await openSim();
    const { status, body } = await post('/__admin/verify', { call: { endpoint: 'createReceipt' }, never: true });
    expect(status).toBe(400);
    expect(body.validationErrors).toContainEqual({
      field: 'call',
      errorDescription: 'is not a field here; it is called "request" now',
    });
  });

  it.each([
    ['complete', 'whole'],
    ['partial', 'partly'],
    ['none', 'nothing'],
  ])('answers an expectation of the control API that wants "%s" by its old word with the new one', async (now, old) => {
    const { post } = await openSim();
    const { status, body } = await post('/__admin/verify', { request: { delivered: old }, never: true });
    expect(status).toBe(400);
    expect(body.validationErrors).toEqual([
      {
        field: 'request.delivered',
        errorDescription: `must be one of complete, partial, none, not "${old}"; it is called "${now}" now`,
      },
    ]);
  });

  it('answers an old name of the library with the new one', async () => {
    const { sim } = await openSim();
    expect(() => read(sim, 'master')).toThrow('There is no sim.master; it is called "pointMaster" now');
    expect(() => read(sim.tenant(), 'use')).toThrow('There is no tenant.use; it is called "applyScenario" now');
    expect(() => createMaster()).toThrow('There is no createMaster; it is called "createPointMaster" now');
  });

  it('lets a tenant be copied and printed in spite of its old names', async () => {
    const { sim } = await openSim();
    const tenant = sim.tenant();
    expect(Object.keys({ ...tenant })).not.toContain('use');
    expect(inspect(tenant)).toContain('applyScenario');
  });

  it.each([
    ['onEntry', 'onEvent'],
    ['onFault', 'onInternalError'],
    ['faultFor', 'faultSource'],
  ])('answers the option %s of createPointMaster with %s', (old, now) => {
    expect(() => createPointMaster({ [old]: () => {} })).toThrow(`${old}: is not an option; it is called "${now}" now`);
  });
});

it('the control API suggests what an expectation probably means, once', async () => {
  const { post } = await openSim();
  const { body } = await post('/__admin/verify', { request: { delivered: 'complet' }, never: true });
  expect(body.validationErrors).toEqual([
    {
      field: 'request.delivered',
      errorDescription: 'must be one of complete, partial, none, not "complet"; did you mean "complete"?',
    },
  ]);
  const { body: reset } = await post('/__admin/reset', { scopes: ['statte'] });
  expect(reset.validationErrors[0].errorDescription.match(/did you mean/g)).toHaveLength(1);
});

/** Reads what no type has, as JavaScript can. */
const read = (of: object, name: string): unknown => Object(of)[name];
