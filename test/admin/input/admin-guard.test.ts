import { describe, expect, it } from 'vitest';
import type { SimOptions } from '../../../src/simulator/options.ts';
import { openEmptySim } from '../../support/open-sim.ts';

async function statusOf(options: SimOptions, headers: Readonly<Record<string, string>>): Promise<number> {
  const { call } = await openEmptySim(options);
  return (await call('GET', '/__admin/clock', { headers })).status;
}

const open = { host: '0.0.0.0', adminKey: 'secret' };
const key = { 'x-sim-admin-key': 'secret' };

it.each<[why: string, options: SimOptions, headers: Record<string, string>, status: number]>([
  ['this machine', {}, { host: 'localhost:4010' }, 200],
  ['another name for it', {}, { host: 'evil.example' }, 403],
  ['a page of its own', {}, { host: '127.0.0.1:4010', origin: 'http://127.0.0.1:4010' }, 200],
  ['a page of its own, by another name', {}, { host: 'localhost:4010', origin: 'http://localhost:4010' }, 200],
  ['a page of another program', {}, { host: '127.0.0.1:4010', origin: 'http://127.0.0.1:3000' }, 403],
  ['a page of another program by name', {}, { host: 'localhost:4010', origin: 'http://localhost:3000' }, 403],
  ['a page of another program that hides', {}, { 'sec-fetch-site': 'same-site', 'sec-fetch-dest': 'script' }, 403],
  ['a form of another program', {}, { 'sec-fetch-site': 'same-site', 'sec-fetch-dest': 'image' }, 403],
  ['a link in a page of another program', {}, { 'sec-fetch-site': 'same-site', 'sec-fetch-dest': 'document' }, 200],
  ['an address that was typed', {}, { 'sec-fetch-site': 'none', 'sec-fetch-dest': 'document' }, 200],
  ['a foreign page', {}, { origin: 'http://evil.example' }, 403],
  ['a sandboxed page', {}, { origin: 'null' }, 403],
  ['a foreign page that hides', {}, { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'image' }, 403],
  ['a link that was followed', {}, { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'document' }, 200],
  ['open to others, without a key', { host: '0.0.0.0' }, {}, 403],
  ['open to others, key not sent', open, {}, 401],
  ['open to others, wrong key', open, { 'x-sim-admin-key': 'secreT' }, 401],
  ['open to others, right key', open, key, 200],
  ['key as a bearer', open, { authorization: 'Bearer secret' }, 200],
  ['open to others, by address', open, { ...key, host: '192.168.1.7:4010' }, 200],
  ['open to others, by container name', open, { ...key, host: 'sim:4010' }, 200],
  ['open to others, by a public name', open, { ...key, host: 'evil.example' }, 403],
  ['open to others, from a foreign page', open, { ...key, host: 'sim:4010', origin: 'http://evil.example' }, 403],
  ['a given host', { host: 'sim.test', adminKey: 'secret' }, { ...key, host: 'sim.test' }, 200],
  ['on loopback, key not sent', { adminKey: 'secret' }, {}, 401],
])('the guard of the control API lets in or refuses: %s', async (_, options, headers, status) => {
  expect(await statusOf(options, headers)).toBe(status);
});

describe('the guard of the control API', () => {
  it('says how to turn the control API on, and where to put the key', async () => {
    const off = await openEmptySim({ host: '0.0.0.0' });
    expect((await off.get('/__admin/clock')).body.message).toContain('--admin-key <key>');
    const locked = await openEmptySim({ adminKey: 'secret' });
    expect((await locked.get('/__admin/clock')).body.message).toContain('x-sim-admin-key');
  });

  it('serves the service itself without the admin key', async () => {
    const { get } = await openEmptySim(open);
    expect((await get('/consents')).status).toBe(200);
  });
});
