/** Several clients that work on the same contact: what they do side by side is not one client's retry. */
import { describe, expect, it } from 'vitest';
import { award, findingsOf, times } from '../support/judged.ts';
import type { Client } from '../support/client.ts';
import { isComplete, openWire, rawRequest } from '../support/wire.ts';
import type { Wire } from '../support/wire.ts';
import { astrid } from '../support/people.ts';
import { openFailingSim } from '../support/open-sim.ts';
import { openSimOnPort } from '../support/open-sim-on-port.ts';
import { inTime, noteLateness } from '../support/in-time.ts';

const contact = `/api/v3/contacts/${astrid}`;
const change = { street: 'Storgatan 1' };
const policy = { minBackoff: '10s' };

const patch = ({ call }: Client, headers: Readonly<Record<string, string>>) =>
  times(1, () => call('PATCH', contact, { body: change, headers }));

async function redeem({ get, call }: Client, headers: Readonly<Record<string, string>>): Promise<void> {
  const { body } = await get(`/api/v3/promotion-assignments?contactId=${astrid}`);
  await call('POST', `/api/v3/promotions/codes/${body[0].id}/redeem`, { headers });
}

const [left, right] = ['left/1', 'right/1'].map((agent) => ({ 'user-agent': agent }));

describe('the verdict on several clients', () => {
  it.each([
    ['two programs', left, right, []],
    ['two keys', { apikey: 'a' }, { apikey: 'b' }, []],
    ['one program', left, left, ['R2 fail']],
  ])('finds of a coupon that is redeemed by %s', async (_, one, other, found) => {
    const client = await openFailingSim({});
    for (const headers of [one, other]) await redeem(client, headers ?? {});
    expect(await findingsOf(client)).toEqual(found);
  });

  it('lets two programs try the same, each at its own pace', async () => {
    const client = await openFailingSim({ updateContact: [504, 504] }, policy);
    for (const headers of [left, right]) await patch(client, headers ?? {});
    await client.post('/__admin/clock', { advance: '11s' });
    for (const headers of [left, right]) await patch(client, headers ?? {});
    expect(await findingsOf(client)).toEqual([]);
  });

  it('takes what another program does later for handed on to it', async () => {
    // However long the machine takes for each, no pause shrinks.
    const client = await openFailingSim({ updateContact: [504, 504] }, { tolerance: 600_000 });
    for (const headers of [left, left, right]) await patch(client, headers ?? {});
    expect(await findingsOf(client)).toEqual([]);
  });

  it('finds what was left, whatever another program did before', async () => {
    const client = await openFailingSim({ updateContact: [200, 504] });
    for (const headers of [left, right]) await patch(client, headers ?? {});
    expect(await findingsOf(client)).toEqual(['R1 fail']);
  });

  it.each([
    ['whose connections take turns', true, ['R6 note']],
    ['by one connection', false, ['R6 fail']],
  ])('finds of changes %s, of which one comes too early', inTime, async (_, isOther, found) => {
    const rules = [{ match: { endpoint: 'updateContact' }, fault: ['504' as const] }];
    const { sim, port } = await openSimOnPort({ scenario: { policy, rules } });
    const first = openWire(port);
    const request = rawRequest('PATCH', contact, change);
    await send(first, request);
    await send(isOther ? openWire(port) : first, request);
    await sim.clock.advance('11s');
    await send(first, request);
    const { operations } = noteLateness(await sim.verdict());
    expect(operations.flatMap(({ findings }) => findings.map(({ rule, level }) => `${rule} ${level}`))).toEqual(found);
  });
});

it('the verdict leaves open whether one client did the same twice at once, or two did it once', async () => {
  const client = await openFailingSim({});
  await Promise.all([award(client), award(client)]);
  expect((await findingsOf(client)).filter((found) => found.endsWith('fail'))).toEqual([]);
});

/** Sends a call, and waits for its answer. */
async function send(wire: Wire, request: string): Promise<void> {
  const before = wire.heard().length;
  wire.write(request);
  await wire.until((heard) => isComplete(heard.subarray(before)));
}
