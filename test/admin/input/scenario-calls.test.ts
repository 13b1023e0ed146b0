import { expect, it } from 'vitest';
import { openSim } from '../../support/open-sim.ts';
import { openSimOnPort } from '../../support/open-sim-on-port.ts';
import { count, eventually, statuses } from '../../support/served.ts';
import { openWire, rawRequest } from '../../support/wire.ts';

const path = '/__admin/scenario';
const rules = Array.from({ length: 900 }, (_, n) => ({ match: { path: `/api/v3/x${n}` }, fault: 503 }));
const large = { name: 'large', rules };

it.each([
  ['PUT', { name: 'small' }, 'small'],
  ['DELETE', undefined, undefined],
])('a large scenario is followed by the %s behind it', async (method, body, left) => {
  const { call, get, sim } = await openSim();
  const answered = await Promise.all([call('PUT', path, { body: large }), call(method, path, { body })]);
  expect(answered.map(({ status }) => status)).toEqual([200, 200]);
  const { scenario, rules: active } = (await get(path)).body;
  expect([scenario.name, active]).toEqual([left, []]);
  await sim.close();
});

it('a large scenario that has come by another connection is followed by what comes then', async () => {
  const { call, get, url, port, sim } = await openSimOnPort();
  const { journal } = sim.tenants.default;
  // Loads the control API.
  await fetch(`${url}/__admin/health`);
  const wire = openWire(port);
  // The request behind it begins when all of it is there.
  wire.write(rawRequest('PUT', path, large) + rawRequest('GET', count, undefined, 'connection: close'));
  await eventually(() => [...journal.exchanges()].length > 0);
  await call('DELETE', path);
  await wire.ended;
  expect(statuses(wire.heard())).toEqual(['200', '200']);
  expect((await get(path)).body.rules).toEqual([]);
});

it('a scenario whose body does not come keeps nobody waiting', async () => {
  const { call, get, port } = await openSimOnPort();
  const wire = openWire(port);
  const [head, body] = rawRequest('PUT', path, large, 'expect: 100-continue').split(/(?<=\r\n\r\n)/);
  wire.write(head ?? '');
  await wire.until((heard) => statuses(heard).includes('100'));
  expect((await call('PUT', path, { body: { name: 'small' } })).status).toBe(200);
  wire.write(body ?? '');
  await wire.until((heard) => statuses(heard).includes('200'));
  expect((await get(path)).body.scenario.name).toBe('large');
  wire.close();
});
