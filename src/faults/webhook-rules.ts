import { compileActivation } from '../core/lib/activation.ts';
import { seededRandom } from '../core/lib/random.ts';
import { RuleKind } from '../core/lib/rule-set.ts';
import type { ActiveRule, CompiledRule } from '../core/lib/rule-set.ts';
import type { DeliveryAttempt, WebhookFault } from '../core/tenant/webhook-outbox.ts';
import { compileJsonPath } from '../matching/json-path.ts';
import { compileValueMatcher } from '../matching/value-matcher.ts';
import type { WebhookRuleSpec } from './webhook-rule-schema.ts';

export type WebhookRule = CompiledRule<WebhookRuleSpec, DeliveryAttempt, WebhookFault>;

export type ActiveWebhookRule = ActiveRule<WebhookRule, DeliveryAttempt>;

export const webhookRuleKind = new RuleKind<WebhookRuleSpec, DeliveryAttempt, WebhookFault, WebhookRule>({
  prefix: 'webhook',
  addedPrefix: 'webhook-fault',
  compile: compileWebhookRule,
});

function compileWebhookRule(spec: WebhookRuleSpec, id: string): WebhookRule {
  const faults = [spec.fault].flat().map(compileWebhookFault);
  const activation = compileActivation(spec, faults.length);
  return {
    id,
    spec,
    matches: compileWebhookMatcher(spec),
    activation,
    faults,
    limit: activation.limit,
    createSampler: () => samplerForDelivery(id),
  };
}

/** Draws by the delivery and its attempt, whatever comes in between. */
const samplerForDelivery =
  (id: string) =>
  ({ delivery, tenant }: DeliveryAttempt) => {
    const label = `${tenant.name}/webhook/${id}/${delivery.number}/${delivery.attempts.length}`;
    return (name: string): number => seededRandom(tenant.settings.seed, `${label}/${name}`);
  };

type WebhookFaultSpec = Exclude<WebhookRuleSpec['fault'], readonly unknown[]>;

function compileWebhookFault(spec: WebhookFaultSpec): WebhookFault {
  if (typeof spec === 'string') return { kind: spec };
  const { delay, 'rotated-key': key } = spec;
  // One of the two is there.
  return delay === undefined ? { kind: 'rotated-key', key: key ?? '' } : { kind: 'delay', by: delay };
}

function compileWebhookMatcher({ match: { eventType, payload = {} } = {} }: WebhookRuleSpec): WebhookRule['matches'] {
  const fields = Object.entries(payload).map(([name, spec]) => ({
    valuesIn: compileJsonPath(name)?.valuesIn ?? (() => []),
    wanted: compileValueMatcher(spec),
  }));
  return ({ delivery }) =>
    (eventType ?? delivery.eventType) === delivery.eventType &&
    fields.every(({ valuesIn, wanted }) => {
      const values = valuesIn(delivery.payload);
      return values.length === 0 ? wanted.matchesAbsent : values.some(wanted.matches);
    });
}
