import { afterEach, describe, expect, it } from 'vitest';
import type { PointMasterOptions } from '../../../src/point-master/options.ts';
import { closeAll, openMaster, seal, send } from '../../support/master.ts';
import type { Letter } from '../../support/master.ts';

afterEach(closeAll);

const id = 'c1111111-1111-4111-8111-111111111111';

/** What a letter is refused with; nothing is applied. */
const refused = async (letter: Letter, options: PointMasterOptions = {}) => {
  const { master, url } = await openMaster(options);
  const { status, body } = await send(url, letter);
  expect(master.ledger()).toEqual([]);
  return [status, body.errorCode];
};

describe('the signature', () => {
  it('of another secret is refused', async () => {
    const letter = seal({ secret: 'whsec_YW5vdGhlci1zZWNyZXQtYW5vdGhlcg==' });
    expect(await refused(letter)).toEqual([401, 'InvalidSignature']);
  });

  it('that is missing is refused with the headers that are', async () => {
    const { url } = await openMaster();
    const { body } = seal();
    const answered = await send(url, { body, headers: { 'svix-id': id } });
    expect(answered.status).toBe(401);
    expect(answered.body.message).toBe('The webhook is not signed: svix-timestamp, svix-signature are missing.');
  });

  it.each(['id', 'timestamp', 'signature'])('with another %s is refused', async (name) => {
    const { body, headers } = seal();
    const other = { id, timestamp: String(Math.floor(Date.now() / 1000) + 1), signature: 'v1,AAAA v2,BBBB' }[name];
    expect(await refused({ body, headers: { ...headers, [`webhook-${name}`]: other ?? '' } })).toEqual([
      401,
      'InvalidSignature',
    ]);
  });

  it('of another body is refused', async () => {
    const { body, headers } = seal();
    expect(await refused({ body: body.replace('default', 'defaulT'), headers })).toEqual([401, 'InvalidSignature']);
  });

  it('is not asked for when no secret was agreed on', async () => {
    const { master, url } = await openMaster({ secret: undefined });
    expect((await send(url, { body: seal().body, headers: {} })).status).toBe(200);
    expect(master.log).toMatchObject([{ outcome: 'applied', signature: 'unchecked' }]);
  });

  it.each([-6, 6])('that is %s minutes off is refused, with the way out', async (minutes) => {
    const { url } = await openMaster();
    const { status, body } = await send(url, seal({ signedAt: new Date(Date.now() + minutes * 60_000) }));
    expect([status, body.errorCode]).toEqual([401, 'TimestampOutOfTolerance']);
    expect(body.message).toContain('--timestamp-tolerance off');
  });

  it.each([
    { name: 'another tolerance', options: { timestampTolerance: 3_600_000 } },
    { name: 'no tolerance', options: { timestampTolerance: 'off' } },
  ] as const)('may be older with $name', async ({ options }) => {
    const { url } = await openMaster(options);
    expect((await send(url, seal({ signedAt: new Date(Date.now() - 360_000) }))).status).toBe(200);
  });
});
