/** Emits events of a tenant to one reader. */
import { webhookDeliveries } from '../../core/tenant/webhook-outbox.ts';
import type { Exchange } from '../../core/exchange/exchange.ts';
import type { Tenant } from '../../core/tenant/tenant.ts';
import type { TenantChange, TenantRegistry } from '../../core/tenant/registry.ts';
import { scenarioOf } from '../../scenario/scenario.ts';
import { findImporter } from '../../imports/importers-of-tenants.ts';
import { serializeClock } from '../clock.ts';
import { serializeImportBatch } from '../serialize/imports.ts';
import { serializeAttemptedDelivery } from '../serialize/webhook-deliveries.ts';
import type { EmitEvent } from './event-schemas.ts';
import { serializeExchangeSummary } from '../serialize/exchanges.ts';
import { serializeActiveRule } from '../faults.ts';
import { serializeExecutedJob } from '../serialize/executed-jobs.ts';
import { serializeQueueSizes } from '../queue.ts';
import { serializeScenario } from '../scenario.ts';
import { serializeTenant } from '../tenants.ts';

/** Holds the readers of a tenant's events, who share what is made for them. */
interface EventReaders {
  readonly emits: Set<EmitEvent>;
  readonly unsubscribe: () => void;
}

const readersOf = new WeakMap<TenantRegistry, Map<string, EventReaders>>();

/**
 * Emits the events of the tenant with this name, even if it is replaced, and of all tenants that are created or
 * deleted: all readers get the same function for the data of an event. Returns a function that unsubscribes.
 */
export function subscribeToTenant(tenants: TenantRegistry, name: string, emit: EmitEvent): () => void {
  const byName = readersOf.get(tenants) ?? new Map<string, EventReaders>();
  readersOf.set(tenants, byName);
  const readers = byName.get(name) ?? startReading(tenants, name);
  byName.set(name, readers);
  const { emits, unsubscribe } = readers;
  emits.add(emit);
  return () => {
    emits.delete(emit);
    if (emits.size > 0 || byName.get(name) !== readers) return;
    byName.delete(name);
    unsubscribe();
  };
}

function startReading(tenants: TenantRegistry, name: string): EventReaders {
  const emits = new Set<EmitEvent>();
  const emitToAll: EmitEvent = (event, data, id) => {
    for (const emit of emits) emit(event, data, id);
  };
  return { emits, unsubscribe: listenToTenant(tenants, name, emitToAll) };
}

function listenToTenant(tenants: TenantRegistry, name: string, emit: EmitEvent): () => void {
  const known = tenants.get(name);
  let leave = known ? subscribe(known, emit) : () => {};
  const stop = tenants.changes.subscribe((change) => {
    emitTenantChange(change, emit);
    if (change.tenant.name !== name) return;
    leave();
    leave = change.kind === 'deleted' ? () => {} : subscribe(change.tenant, emit);
  });
  return () => {
    stop();
    leave();
  };
}

function emitTenantChange({ kind, tenant }: TenantChange, emit: EmitEvent): void {
  if (kind === 'deleted') emit('tenant.deleted', () => ({ deleted: tenant.name }));
  else emit(kind === 'created' ? 'tenant.created' : 'tenant.replaced', () => serializeTenant(tenant));
}

function subscribe(tenant: Tenant, emit: EmitEvent): () => void {
  const { scheduler, journal, name, webhookSender } = tenant;
  const { changed, webhooks } = scenarioOf(tenant);
  const emitScenario = (): void => emit('scenario.changed', () => serializeScenario(tenant));
  const endings = [
    ...subscribeToJournal(tenant, emit),
    ...subscribeToSizes(tenant, emit),
    journal.cleared.subscribe((cleared) => emit('journal.cleared', () => ({ cleared }))),
    scheduler.executed.subscribe((done) =>
      emit(done.error === undefined ? 'job.completed' : 'job.failed', () => serializeExecutedJob(done)),
    ),
    findImporter(tenant)?.imported.subscribe((batch) =>
      emit('import.completed', () => serializeImportBatch(tenant, batch)),
    ),
    changed.subscribe(emitScenario),
    webhooks.changed.subscribe(emitScenario),
    tenant.onRestore((restored) => {
      if ('scopes' in restored) emit('state.reset', () => ({ tenant: name, scopes: [...restored.scopes] }));
      else emit('snapshot.restored', () => ({ restored: restored.snapshot, ...serializeClock(tenant) }));
    }),
    webhookSender?.onExecuted(({ job }) => {
      const delivery = tenant.get(webhookDeliveries, job.id);
      if (delivery) emit('webhook.attempted', () => serializeAttemptedDelivery(delivery));
    }),
  ];
  return () => {
    for (const end of endings) end?.();
  };
}

function subscribeToJournal(tenant: Tenant, emit: EmitEvent): (() => void)[] {
  const { journal } = tenant;
  let { completedCount } = journal;
  const emitCompleted = (exchange: Exchange): void => {
    const isOver = exchange.completionNumber !== undefined && exchange.completionNumber > completedCount;
    ({ completedCount } = journal);
    emit(isOver ? 'request.completed' : 'request.updated', () => serializeExchangeSummary(exchange));
  };
  return [
    journal.opened.subscribe((exchange) => emit('request.received', () => serializeExchangeSummary(exchange))),
    journal.faulted.subscribe((exchange) => emitRuleFired(tenant, exchange, emit)),
    journal.onCompleted(emitCompleted),
  ];
}

function emitRuleFired(tenant: Tenant, exchange: Exchange, emit: EmitEvent): void {
  const active = scenarioOf(tenant).rules.find(({ rule }) => rule.id === exchange.fault?.rule);
  if (active)
    emit('rule.fired', () => ({ rule: serializeActiveRule(active), exchange: serializeExchangeSummary(exchange) }));
}

/** Emits changes of clock and queue once for everything that happens in one turn of the event loop. */
function subscribeToSizes(tenant: Tenant, emit: EmitEvent): (() => void)[] {
  let { setting } = tenant.clock;
  let sizes = JSON.stringify(serializeQueueSizes(tenant));
  let awaited: NodeJS.Immediate | undefined;
  const emitDiff = (): void => {
    awaited = undefined;
    if (tenant.clock.setting !== setting) emit('clock.changed', () => serializeClock(tenant));
    ({ setting } = tenant.clock);
    const before = sizes;
    sizes = JSON.stringify(serializeQueueSizes(tenant));
    if (sizes !== before) emit('queue.changed', () => serializeQueueSizes(tenant));
  };
  const scheduleDiff = (): void => {
    awaited ??= setImmediate(emitDiff);
  };
  return [
    tenant.onChange(scheduleDiff),
    tenant.scheduler.holdChanged.subscribe(scheduleDiff),
    () => clearImmediate(awaited),
  ];
}
