import { createDecipheriv } from 'node:crypto';
import { assert, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  decryptEnvelopePayload,
  encryptEnvelopePayload,
  signHeaders,
  checkSignature,
} from '../../src/webhooks/envelope.ts';
import type { EnvelopeProfile } from '../../src/webhooks/envelope.ts';
import { invalidKeyReason } from '../../src/core/tenant/webhook-key.ts';
import { deriveSecret, invalidSecretReason } from '../../src/webhooks/keys.ts';
import { decryptAsTold, webhookKey as key } from '../support/receiver.ts';

const seed = Uint8Array.from({ length: 16 }, (_, i) => i);
const text = JSON.stringify({ contactId: 'c', amount: 25, description: 'Tack så mycket' });
const profiles: readonly EnvelopeProfile[] = ['default', 'aes-256-gcm', 'plain'];
const otherKey = 'ffffffffffffffffffffffffffffffff';

describe('an encrypted payload', () => {
  it('is read by whoever knows the assumption alone', () => {
    expect(decryptAsTold(encryptEnvelopePayload(text, { key, seed }))).toEqual(JSON.parse(text));
  });

  it('of GCM has 12 bytes of IV in front and the tag behind', () => {
    const bytes = Buffer.from(encryptEnvelopePayload(text, { key, seed, profile: 'aes-256-gcm' }), 'base64url');
    const decipher = createDecipheriv('aes-256-gcm', Buffer.from(key), bytes.subarray(0, 12));
    decipher.setAuthTag(bytes.subarray(-16));
    expect(decipher.update(bytes.subarray(12, -16)).toString() + decipher.final().toString()).toBe(text);
  });

  it.each(profiles)('of profile %s is what was encrypted', (profile) => {
    assert(
      property(string({ unit: 'binary' }), (any) => {
        expect(decryptEnvelopePayload(encryptEnvelopePayload(any, { key, seed, profile }), { key, profile })).toBe(any);
      }),
    );
  });

  it.each(['default', 'aes-256-gcm'] as const)('of profile %s is not read with another key', (profile) => {
    const sent = encryptEnvelopePayload(text, { key, seed, profile });
    expect(() => decryptEnvelopePayload(sent, { key: otherKey, profile })).toThrow(
      /encrypted with another one, or altered/,
    );
  });

  it('of GCM is not read when any byte of it was altered', () => {
    const sent = Buffer.from(encryptEnvelopePayload(text, { key, seed, profile: 'aes-256-gcm' }), 'base64url');
    for (let i = 0; i < sent.length; i++) {
      const altered = Buffer.from(sent);
      altered.writeUInt8(sent.readUInt8(i) ^ 1, i);
      const payload = altered.toString('base64url');
      expect(() => decryptEnvelopePayload(payload, { key, profile: 'aes-256-gcm' })).toThrow(/altered on the way/);
    }
  });

  it.each(['default', 'aes-256-gcm'] as const)('of profile %s that was cut is told so, or not read', (profile) => {
    const sent = encryptEnvelopePayload(text, { key, seed, profile });
    for (let length = 0; length < sent.length; length++) {
      const cut = sent.slice(0, length);
      expect(() => decryptEnvelopePayload(cut, { key, profile })).toThrow(/was cut|not base64url|cannot be decrypted/);
    }
    expect(() => decryptEnvelopePayload(sent.slice(0, 30), { key })).toThrow(/30 characters are 22 bytes/);
  });

  it('is not read when it is no base64url', () => {
    expect(() => decryptEnvelopePayload(`${encryptEnvelopePayload(text, { key, seed })}==`, { key })).toThrow(
      /base64url without padding/,
    );
  });
});

describe('a signature', () => {
  const secret = deriveSecret(key);
  const at = Date.now();
  const headers = signHeaders({ id: 'msg-1', at, body: text, secret });

  it('is checked by its headers, under either name', () => {
    const named = (prefix: string) => Object.entries(headers).filter(([name]) => name.startsWith(prefix));
    checkSignature(text, headers, secret);
    checkSignature(text, Object.fromEntries(named('svix-')), secret);
    expect(named('webhook-').map(([, value]) => value)).toEqual(named('svix-').map(([, value]) => value));
  });

  it.each([
    ['another body', `${text} `, headers, /No matching signature found/],
    ['another id', text, { ...headers, 'webhook-id': 'msg-2' }, /No matching signature found/],
    ['no signature', text, {}, /not signed/],
    ['an old timestamp', text, signHeaders({ id: 'msg-1', at: at - 400_000, body: text, secret }), /too old/],
  ])('is refused with %s', (_, body, sent, reason) => {
    expect(() => checkSignature(body, sent, secret)).toThrow(reason);
    expect(() => checkSignature(body, sent, deriveSecret(otherKey))).toThrow();
  });
});

it.each([
  [key, undefined],
  ['short', 'not 5 bytes'],
  ['åäö3456789abcdef0123456789abcdef', 'not 35 bytes'],
])('key %s: %s', (given, fault) => {
  expect(invalidKeyReason(given) ?? 'none').toContain(fault ?? 'none');
});

it.each([
  ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', undefined],
  ['MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', undefined],
  ['whsec_', 'must be whsec_ and base64'],
  ['whsec_not base64', 'must be whsec_ and base64'],
])('secret %s: %s', (given, fault) => {
  expect(invalidSecretReason(given) ?? 'none').toContain(fault ?? 'none');
});
