/** Follows what happens to a tenant, for those who want to be told of it. */
import { webhookDeliveries } from '../../core/tenant/webhook-outbox.ts';
import type { Exchange } from '../../core/exchange/exchange.ts';
import type { Tenant } from '../../core/tenant/tenant.ts';
import type { TenantChange, TenantRegistry } from '../../core/tenant/registry.ts';
import { scenarioOf } from '../../scenario/scenario.ts';
import { serializeClock } from '../clock.ts';
import { serializeAttemptedDelivery } from '../serialize/webhook-deliveries.ts';
import type { EmitEvent } from './event-schemas.ts';
import { serializeExchangeSummary } from '../serialize/exchanges.ts';
import { serializeActiveRule } from '../faults.ts';
import { serializeExecutedJob } from '../serialize/executed-jobs.ts';
import { serializeQueueSizes } from '../queue.ts';
import { serializeScenario } from '../scenario.ts';
import { serializeTenant } from '../tenants.ts';

/**
 * Tells what happens to the tenant of a name, whichever bears it, and of all tenants that come and go, until the
 * answered function is called.
 */
export function subscribeToTenant(tenants: TenantRegistry, name: string, tell: EmitEvent): () => void {
  const known = tenants.get(name);
  let leave = known ? subscribe(known, tell) : () => {};
  const stop = tenants.changes.subscribe((change) => {
    emitTenantChange(change, tell);
    if (change.tenant.name !== name) return;
    leave();
    leave = change.kind === 'deleted' ? () => {} : subscribe(change.tenant, tell);
  });
  return () => {
    stop();
    leave();
  };
}

function emitTenantChange({ kind, tenant }: TenantChange, tell: EmitEvent): void {
  if (kind === 'deleted') tell('tenant.deleted', () => ({ deleted: tenant.name }));
  else tell(kind === 'created' ? 'tenant.created' : 'tenant.replaced', () => serializeTenant(tenant));
}

function subscribe(tenant: Tenant, tell: EmitEvent): () => void {
  const { scheduler: agenda, journal, name, webhookSender: outbound } = tenant;
  const { changed, webhooks } = scenarioOf(tenant);
  const tellScenario = (): void => tell('scenario.changed', () => serializeScenario(tenant));
  const endings = [
    ...subscribeToJournal(tenant, tell),
    ...subscribeToSizes(tenant, tell),
    journal.cleared.subscribe((cleared) => tell('journal.cleared', () => ({ cleared }))),
    agenda.executed.subscribe((done) =>
      tell(done.error === undefined ? 'job.completed' : 'job.failed', () => serializeExecutedJob(done)),
    ),
    changed.subscribe(tellScenario),
    webhooks.changed.subscribe(tellScenario),
    tenant.onRestore((back) => {
      if ('scopes' in back) tell('state.reset', () => ({ tenant: name, scopes: [...back.scopes] }));
      else tell('snapshot.restored', () => ({ restored: back.snapshot, ...serializeClock(tenant) }));
    }),
    outbound?.onAttempt(({ job }) => {
      const tried = tenant.get(webhookDeliveries, job.id);
      if (tried) tell('webhook.attempted', () => serializeAttemptedDelivery(tried));
    }),
  ];
  return () => {
    for (const end of endings) end?.();
  };
}

function subscribeToJournal(tenant: Tenant, tell: EmitEvent): (() => void)[] {
  const { journal } = tenant;
  let { completedCount: settled } = journal;
  const tellSettled = (exchange: Exchange): void => {
    const isOver = exchange.completionNumber !== undefined && exchange.completionNumber > settled;
    settled = journal.completedCount;
    tell(isOver ? 'request.completed' : 'request.updated', () => serializeExchangeSummary(exchange));
  };
  return [
    journal.opened.subscribe((exchange) => tell('request.received', () => serializeExchangeSummary(exchange))),
    journal.faulted.subscribe((exchange) => emitRuleFired(tenant, exchange, tell)),
    journal.onCompleted(tellSettled),
  ];
}

function emitRuleFired(tenant: Tenant, exchange: Exchange, tell: EmitEvent): void {
  const active = scenarioOf(tenant).rules.find(({ rule }) => rule.id === exchange.fault?.rule);
  if (active)
    tell('rule.fired', () => ({ rule: serializeActiveRule(active), exchange: serializeExchangeSummary(exchange) }));
}

/** Clock and queue are told of once for all that is done in one go. */
function subscribeToSizes(tenant: Tenant, tell: EmitEvent): (() => void)[] {
  let { setting } = tenant.clock;
  let sizes = JSON.stringify(serializeQueueSizes(tenant));
  let awaited: NodeJS.Immediate | undefined;
  const look = (): void => {
    awaited = undefined;
    if (tenant.clock.setting !== setting) tell('clock.changed', () => serializeClock(tenant));
    ({ setting } = tenant.clock);
    const before = sizes;
    sizes = JSON.stringify(serializeQueueSizes(tenant));
    if (sizes !== before) tell('queue.changed', () => serializeQueueSizes(tenant));
  };
  const lookSoon = (): void => {
    awaited ??= setImmediate(look);
  };
  return [tenant.onChange(lookSoon), tenant.scheduler.holdChanged.subscribe(lookSoon), () => clearImmediate(awaited)];
}
