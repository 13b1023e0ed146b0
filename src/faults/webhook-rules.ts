import { compileActivation } from '../core/lib/activation.ts';
import { seededRandom } from '../core/lib/random.ts';
import { RuleKind } from '../core/lib/rule-set.ts';
import type { ActiveRule, CompiledRule } from '../core/lib/rule-set.ts';
import type { DeliveryAttempt, WebhookFault } from '../core/tenant/webhook-outbox.ts';
import { IndexInSteps } from '../core/time/index-in-steps.ts';
import { finish } from '../core/time/steps.ts';
import type { Steps } from '../core/time/steps.ts';
import { compileJsonPath } from '../matching/json-path.ts';
import { compileValueMatcher, matchesAnyInSteps } from '../matching/value-matcher.ts';
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
    ...compileWebhookMatcher(spec),
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

/** Searches of texts are worked out once for each attempt, in steps where that is prepared. */
function compileWebhookMatcher({
  match: { eventType, payload = {} } = {},
}: WebhookRuleSpec): Pick<WebhookRule, 'matches' | 'isSearch'> {
  const fields = Object.entries(payload).map(([name, spec]) => ({
    valuesIn: compileJsonPath(name)?.valuesIn ?? (() => []),
    wanted: compileValueMatcher(spec),
  }));
  const isMeant = ({ delivery }: DeliveryAttempt): boolean => (eventType ?? delivery.eventType) === delivery.eventType;
  function* hasFields({ delivery: { payload: sent } }: DeliveryAttempt): Steps<boolean> {
    for (const { valuesIn, wanted } of fields) if (!(yield* matchesAnyInSteps(wanted, valuesIn(sent)))) return false;
    return true;
  }
  const isSearch = fields.some(({ wanted }) => wanted.isSearch);
  if (!isSearch) return { isSearch, matches: (attempt) => isMeant(attempt) && finish(hasFields(attempt)) };
  const found = new WeakMap<DeliveryAttempt, IndexInSteps<boolean>>();
  return {
    isSearch,
    matches: (attempt) => {
      if (!isMeant(attempt)) return false;
      const known = found.get(attempt) ?? new IndexInSteps(() => hasFields(attempt));
      found.set(attempt, known);
      return known.value;
    },
  };
}
