/** Follows what happens to a tenant, for those who want to be told of it. */
import { deliveries } from '../../core/deliveries.ts';
import type { Exchange } from '../../core/journal.ts';
import type { Tenant } from '../../core/tenant.ts';
import type { TenantChange, Tenants } from '../../core/tenants.ts';
import { scenarioOf } from '../../scenario/scenario.ts';
import { showClock } from './clock.ts';
import { showTriedDelivery } from './deliveries.ts';
import type { Tell } from './event-schema.ts';
import { showExchangeLine } from './exchanges.ts';
import { showRule } from './faults.ts';
import { showHappening } from './formats.ts';
import { showSizes } from './queue.ts';
import { showScenario } from './scenario.ts';
import { showTenant } from './tenants.ts';

/**
 * Tells what happens to the tenant of a name, whichever bears it, and of all tenants that come and go, until the
 * answered function is called.
 */
export function followTenant(tenants: Tenants, name: string, tell: Tell): () => void {
  const known = tenants.get(name);
  let leave = known ? attend(known, tell) : () => {};
  const stop = tenants.changes.add((change) => {
    tellOfTenant(change, tell);
    if (change.tenant.name !== name) return;
    leave();
    leave = change.kind === 'removed' ? () => {} : attend(change.tenant, tell);
  });
  return () => {
    stop();
    leave();
  };
}

function tellOfTenant({ kind, tenant }: TenantChange, tell: Tell): void {
  if (kind === 'removed') tell('tenant.removed', () => ({ removed: tenant.name }));
  else tell(kind === 'made' ? 'tenant.made' : 'tenant.replaced', () => showTenant(tenant));
}

function attend(tenant: Tenant, tell: Tell): () => void {
  const { agenda, journal, name, outbound } = tenant;
  const { changed, webhooks } = scenarioOf(tenant);
  const tellScenario = (): void => tell('scenario.changed', () => showScenario(tenant));
  const endings = [
    ...attendJournal(tenant, tell),
    ...attendStanding(tenant, tell),
    journal.cleared.add((cleared) => tell('journal.cleared', () => ({ cleared }))),
    agenda.done.add((done) => tell(done.error === undefined ? 'job.done' : 'job.failed', () => showHappening(done))),
    changed.add(tellScenario),
    webhooks.changed.add(tellScenario),
    tenant.onReturn((back) => {
      if ('scopes' in back) tell('state.reset', () => ({ tenant: name, scopes: [...back.scopes] }));
      else tell('state.restored', () => ({ restored: back.snapshot, ...showClock(tenant) }));
    }),
    outbound?.watch(({ job }) => {
      const tried = tenant.get(deliveries, job.id);
      if (tried) tell('webhook.tried', () => showTriedDelivery(tried));
    }),
  ];
  return () => {
    for (const end of endings) end?.();
  };
}

function attendJournal(tenant: Tenant, tell: Tell): (() => void)[] {
  const { journal } = tenant;
  let { settled } = journal;
  const tellSettled = (exchange: Exchange): void => {
    const isOver = exchange.settledAs !== undefined && exchange.settledAs > settled;
    settled = journal.settled;
    tell(isOver ? 'exchange.answered' : 'exchange.changed', () => showExchangeLine(exchange));
  };
  return [
    journal.begun.add((exchange) => tell('exchange.begun', () => showExchangeLine(exchange))),
    journal.befallen.add((exchange) => tellFired(tenant, exchange, tell)),
    journal.listen(tellSettled),
  ];
}

function tellFired(tenant: Tenant, exchange: Exchange, tell: Tell): void {
  const active = scenarioOf(tenant).rules.find(({ rule }) => rule.id === exchange.fault?.rule);
  if (active) tell('rule.fired', () => ({ rule: showRule(active), exchange: showExchangeLine(exchange) }));
}

/** Clock and queue are told of once for all that is done in one go. */
function attendStanding(tenant: Tenant, tell: Tell): (() => void)[] {
  let { setting } = tenant.clock;
  let sizes = JSON.stringify(showSizes(tenant));
  let awaited: NodeJS.Immediate | undefined;
  const look = (): void => {
    awaited = undefined;
    if (tenant.clock.setting !== setting) tell('clock.turned', () => showClock(tenant));
    ({ setting } = tenant.clock);
    const before = sizes;
    sizes = JSON.stringify(showSizes(tenant));
    if (sizes !== before) tell('queue.changed', () => showSizes(tenant));
  };
  const lookSoon = (): void => {
    awaited ??= setImmediate(look);
  };
  return [tenant.watch(lookSoon), tenant.agenda.turned.add(lookSoon), () => clearImmediate(awaited)];
}
