import type { WebhookDelivery } from '../core/tenant/webhook-outbox.ts';
import type { WebhookSettings } from '../core/tenant/settings.ts';
import { hash32 } from '../core/lib/random.ts';
import { encryptEnvelopePayload, envelopeProfile } from './envelope.ts';

/** Describes a delivery, and all that decides what is sent for it. */
export interface OutgoingWebhook {
  readonly tenant: string;
  readonly seed: number;
  readonly assumptions: Readonly<Record<string, string>>;
  readonly webhook: Pick<WebhookSettings, 'url' | 'key' | 'secret'>;
  readonly delivery: WebhookDelivery;
}

/** Returns the body of a call, the same for every attempt: an envelope around the encrypted payload. */
export function buildWebhookBody({
  tenant,
  seed,
  assumptions,
  webhook: { key = '' },
  delivery,
}: OutgoingWebhook): string {
  const { eventType, id, payload } = delivery;
  const profile = key === '' ? 'plain' : envelopeProfile(assumptions['A-48'] ?? 'default');
  if (profile === 'plain') return JSON.stringify({ eventType, id, payload, tenant, isEncrypted: false });
  const encrypted = encryptEnvelopePayload(JSON.stringify(payload), { key, profile, seed: seedOf(seed, id) });
  return JSON.stringify({ eventType, id, payload: encrypted, tenant, isEncrypted: true });
}

/** Returns 16 bytes that depend on the delivery alone: what was sent can be shown without being kept. */
function seedOf(seed: number, id: string): Uint8Array {
  const bytes = Buffer.alloc(16);
  for (let i = 0; i < 4; i++) bytes.writeUInt32BE(hash32(`${id}/iv/${i}`, seed), i * 4);
  return bytes;
}

/** Returns the same with one character of the payload replaced, as somebody on the way might. */
export function tamperPayload(body: string): string {
  const envelope: { readonly payload: unknown } = JSON.parse(body);
  if (typeof envelope.payload === 'string') {
    return JSON.stringify({ ...envelope, payload: replaceMiddle(envelope.payload) });
  }
  const fields = Object.entries(envelope.payload as object);
  const at = fields.findIndex(([, value]) => typeof value === 'string' && value !== '');
  const tampered = fields.map(([name, value], i) => [name, i === at ? replaceMiddle(String(value)) : value]);
  return JSON.stringify({ ...envelope, payload: Object.fromEntries(tampered) });
}

function replaceMiddle(text: string): string {
  const middle = Math.floor(text.length / 2);
  return text.slice(0, middle) + (text[middle] === 'A' ? 'B' : 'A') + text.slice(middle + 1);
}
