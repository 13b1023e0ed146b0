import { afterEach, describe, expect, it } from 'vitest';
import type { PointMasterOptions } from '../../../src/point-master/options.ts';
import { closeAll, openMaster, seal, send, sign } from '../../support/master.ts';
import type { Letter } from '../../support/master.ts';

afterEach(closeAll);

const id = 'c1111111-1111-4111-8111-111111111111';

/** What a letter is refused with; nothing is applied. */
const answerTo = async (letter: Letter, options: PointMasterOptions = {}): Promise<string[]> => {
  const { master, url } = await openMaster(options);
  const { status, body } = await send(url, letter);
  expect([status, master.ledger()]).toEqual([400, []]);
  return [body.errorCode, body.message];
};

const withPayload = (change: (payload: string) => string, given: Parameters<typeof seal>[0] = {}) => {
  const { payload, ...envelope } = JSON.parse(seal(given).body);
  return sign(JSON.stringify({ ...envelope, payload: change(payload) }));
};

const altered = (payload: string, at: number): string => {
  const bytes = Buffer.from(payload, 'base64url');
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  return bytes.toString('base64url');
};

describe('a payload', () => {
  it.each(['aes-256-cbc', 'aes-256-gcm'] as const)('of another key is refused (%s)', async (encryption) => {
    const [code, message] = await answerTo(seal({ key: 'x'.repeat(32), encryption }), { encryption });
    expect(code).toBe('CannotDecrypt');
    expect(message).not.toContain('xxxx');
  });

  it.each([
    ['aes-256-cbc', 'in the text', 40],
    ['aes-256-gcm', 'in the IV', 3],
    ['aes-256-gcm', 'in the text', 40],
  ] as const)('with an altered byte is refused (%s, %s)', async (encryption, _where, at) => {
    const letter = withPayload((payload) => altered(payload, at), { encryption });
    expect((await answerTo(letter, { encryption }))[0]).toBe('CannotDecrypt');
  });

  it.each([
    ['nothing', 0],
    ['an IV alone', 22],
    ['half a block', 50],
    ['whole blocks', 64],
  ])('that is cut to %s is refused', async (_what, length) => {
    expect((await answerTo(withPayload((payload) => payload.slice(0, length))))[0]).toBe('CannotDecrypt');
  });

  it('in base64 with padding is refused with the character', async () => {
    const [, message] = await answerTo(withPayload((payload) => `${payload.slice(0, 43)}=`));
    expect(message).toBe('The payload is not base64url without padding: it has "=" as character 44.');
  });

  it('in plain text is refused where another was agreed on', async () => {
    expect((await answerTo(seal({ encryption: 'plain' })))[0]).toBe('NotEncrypted');
  });

  it('that lacks what the contract has is refused with every mistake', async () => {
    const [code, message] = await answerTo(seal({ id, payload: { amount: '25', contactId: 'astrid' } }));
    expect(code).toBe('InvalidPayload');
    expect(message).toBe(
      `The payload of loyalty.addPoints ${id} is not as agreed: ` +
        'contactId: must be a GUID; amount: must be a number; pointDefinitionId: must be a whole number.',
    );
  });
});
