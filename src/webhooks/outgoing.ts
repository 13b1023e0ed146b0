import type { Delivery, WebhookSettings } from '../core/deliveries.ts';
import { digest } from '../core/ids.ts';
import { encrypt, profileOf } from './envelope.ts';

/** A delivery, and all that decides what is sent for it. */
export interface Outgoing {
  readonly tenant: string;
  readonly seed: number;
  readonly assume: Readonly<Record<string, string>>;
  readonly webhook: Pick<WebhookSettings, 'url' | 'key' | 'secret'>;
  readonly delivery: Delivery;
}

/** The body of a call, the same for every attempt: an envelope around the encrypted payload. */
export function bodyOf({ tenant, seed, assume, webhook: { key = '' }, delivery }: Outgoing): string {
  const { eventType, id, payload } = delivery;
  const profile = key === '' ? 'plain' : profileOf(assume['A-48'] ?? 'default');
  const encrypted = encrypt(JSON.stringify(payload), { key, profile, seed: seedOf(seed, id) });
  return JSON.stringify({ eventType, id, payload: encrypted, tenant, isEncrypted: profile !== 'plain' });
}

/** 16 bytes that depend on the delivery alone: what was sent can be shown without being kept. */
function seedOf(seed: number, id: string): Uint8Array {
  const bytes = Buffer.alloc(16);
  for (let i = 0; i < 4; i++) bytes.writeUInt32BE(digest(`${id}/iv/${i}`, seed), i * 4);
  return bytes;
}

/** The same with one character of the payload replaced, as somebody on the way might. */
export function altered(body: string): string {
  const envelope: { readonly payload: string } = JSON.parse(body);
  const middle = Math.floor(envelope.payload.length / 2);
  const other = envelope.payload[middle] === 'A' ? 'B' : 'A';
  const payload = envelope.payload.slice(0, middle) + other + envelope.payload.slice(middle + 1);
  return JSON.stringify({ ...envelope, payload });
}
