/** Runs a fake point master in the process of a simulator: they only talk over HTTP, and share key and secret. */
import { systemNow } from '../core/time/clock.ts';
import { InputError, OptionError } from '../core/lib/input-error.ts';
import { seededGuid } from '../core/lib/random.ts';
import type { Tenant } from '../core/tenant/tenant.ts';
import type { EncryptionProfile } from '../point-master/webhook/decrypt.ts';
import type { OpeningBalance } from '../point-master/ledger.ts';
import { createPointMaster } from '../point-master/point-master.ts';
import type { PointMasterOptions } from '../point-master/options.ts';
import type { PointMaster } from '../point-master/point-master.ts';
import { balanceOf } from '../service/points/ledger/balance.ts';
import { pointAccounts } from '../service/points/tables.ts';
import type { PointMasterFault } from '../faults/point-master-rules.ts';
import type { PointMasterRequestKind } from '../faults/point-master-rule-schema.ts';
import { tenantOptions } from '../service/settings/tenant-options.ts';
import { scenarioOf } from '../scenario/scenario.ts';
import type { Sim } from './sim.ts';
import type { SimOptions } from './options.ts';
import { effectiveTenantDefaults } from './tenant-factory.ts';
import type { ResolvedSimOptions } from './tenant-factory.ts';
import { checkWebhookOptions } from '../webhooks/settings.ts';

type SimBuilder = (options: ResolvedSimOptions, pointMaster: PointMaster) => Promise<Sim>;

/** Creates a sim that follows a point master of its own. Throws `InputError` as `createSim` does. */
export async function createSimWithPointMaster(options: ResolvedSimOptions, build: SimBuilder): Promise<Sim> {
  const { mode, seed, assumptions = {} } = effectiveTenantDefaults(options);
  assertNoOtherPointMaster({ ...options, mode });
  const { webhookKey = keyFrom(seed), webhookSecret = secretFrom(seed) } = options;
  let sim: Sim | undefined;
  const pointMaster = createPointMaster({
    key: webhookKey,
    secret: assumptions['A-49'] === 'unsigned' ? undefined : webhookSecret,
    encryption: encryptions[assumptions['A-48'] ?? ''] ?? 'aes-256-cbc',
    serviceUrl: () => sim?.url,
    apiKey: options.apiKeys?.[0],
    seed,
    opening: (name) => openingBalancesOf(sim?.tenants.get(name)),
    now: (name) => (sim?.tenants.get(name) ?? sim?.tenants.default)?.clock.now() ?? systemNow(),
    faultSource: (call, name) => pointMasterFault(call, sim?.tenants.get(name)),
    onEvent: options.onPointMasterEvent,
    onInternalError: options.onInternalError,
  } satisfies PointMasterOptions);
  const { url: webhookUrl } = await pointMaster.listen();
  try {
    sim = await build({ ...options, mode: 'point-follower', webhookUrl, webhookKey, webhookSecret }, pointMaster);
    return sim;
  } catch (error) {
    await pointMaster.close();
    throw error;
  }
}

/** Selects the fault that the scenario of a tenant injects into a request of its point master. */
const pointMasterFault = (call: PointMasterRequestKind, tenant: Tenant | undefined): PointMasterFault | undefined =>
  tenant && scenarioOf(tenant).pointMaster.select({ kind: call, tenant }, tenant.clock.now())?.fault;

/** Throws when an option contradicts the built-in point master. */
function assertNoOtherPointMaster(options: SimOptions): void {
  const { mode, webhookUrl, pointMasterUrl } = options;
  if (mode === 'standard')
    throw new InputError('mode: standard has no point master, and withPointMaster starts one; leave one out');
  const given = Object.entries({ webhookUrl, pointMasterUrl }).find(([, value]) => value !== undefined);
  if (given)
    throw new OptionError(given[0], 'is that of another point master, and withPointMaster starts one; leave one out');
  // The point master has other names for these options, so that they are checked here.
  checkWebhookOptions(options);
}

/** Maps the variant of A-48 to an encryption. */
const encryptions: Readonly<Record<string, EncryptionProfile>> = { 'aes-256-gcm': 'aes-256-gcm', plain: 'plain' };

const hexFrom = (seed: number = tenantOptions.seed.default, label: string): string =>
  seededGuid(seed, label, 1).replaceAll('-', '');

const keyFrom = (seed: number | undefined): string => hexFrom(seed, 'master/key');

const secretFrom = (seed: number | undefined): string =>
  `whsec_${Buffer.from(hexFrom(seed, 'master/secret')).toString('base64')}`;

/** Returns the balances of the service, which the point master takes over when it first hears of a tenant. */
const openingBalancesOf = (tenant: Tenant | undefined): readonly OpeningBalance[] =>
  [...(tenant?.all(pointAccounts) ?? [])].flatMap(({ id, contactId, definitionId }) => {
    const amount = tenant ? balanceOf(tenant, id, tenant.now()) : 0;
    return amount === 0 ? [] : [{ contactId, definitionId, amount }];
  });
