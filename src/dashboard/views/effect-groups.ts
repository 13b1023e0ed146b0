/** Groups changes of rows by the business thing that they belong to. */
import type { EffectJson } from '../api/api-types.ts';

interface GroupDefinition {
  readonly title: string;
  readonly tables: readonly string[];
}

/** Names the fields that say the most of a created or deleted row, by its table. */
const headlines: Readonly<Record<string, readonly string[]>> = {
  contacts: ['attributes.firstName', 'attributes.lastName', 'attributes.email', 'attributes.memberNumber'],
  receipts: ['uniqueReceiptId', 'totalGrossPrice', 'currency', 'storeExternalId'],
  pointTransactions: ['amount', 'type', 'source', 'validFrom', 'validTo'],
  pointLots: ['left', 'activeFrom', 'expiresAt'],
  pointAwards: ['gave', 'sku', 'unitPrice'],
  pointAccounts: ['definitionId'],
  rewardVouchers: ['code', 'value', 'validTo', 'status'],
  promotionAssignments: ['promotionId', 'status', 'redeemedOn'],
  promotions: ['name', 'promotionId'],
  consents: ['definitionId', 'value', 'source'],
  orders: ['orderNumber', 'status', 'totalGrossPrice'],
  challenges: ['challengeId', 'status', 'checkpoints'],
  jobs: ['kind', 'dueAt', 'status'],
  webhookDeliveries: ['eventType', 'status'],
};

const groups: readonly GroupDefinition[] = [
  { title: 'Contact', tables: ['contacts', 'contactBatches'] },
  { title: 'Consents', tables: ['consents'] },
  { title: 'Receipts', tables: ['receipts', 'purchaseHistoryChanges'] },
  { title: 'Points', tables: ['pointTransactions', 'pointLots', 'pointAwards', 'pointBonuses', 'pointAccounts'] },
  { title: 'Vouchers', tables: ['rewardVouchers'] },
  { title: 'Promotions', tables: ['promotionAssignments', 'promotions'] },
  { title: 'Challenges', tables: ['challenges', 'challengeDefinitions'] },
  { title: 'Orders', tables: ['orders', 'orderJobs', 'outbox'] },
  { title: 'Webhooks', tables: ['webhookDeliveries'] },
  { title: 'Queue', tables: ['jobs', 'timers'] },
];

export interface EffectGroup {
  readonly title: string;
  readonly effects: readonly EffectJson[];
}

/** Returns the groups that have effects, the customer's first; tables of no group come under their own name. */
export function groupEffects(effects: readonly EffectJson[]): EffectGroup[] {
  const known = groups.flatMap(({ title, tables }) => {
    const own = tables.flatMap((table) => effects.filter((effect) => effect.table === table));
    return own.length > 0 ? [{ title, effects: own }] : [];
  });
  const listed = new Set(groups.flatMap(({ tables }) => tables));
  const others = [...new Set(effects.map(({ table }) => table))].filter((table) => !listed.has(table));
  return [
    ...known,
    ...others.map((table) => ({ title: table, effects: effects.filter((effect) => effect.table === table) })),
  ];
}

type FieldChange = EffectJson['fields'][string];

interface SplitFields {
  /** Lists what is shown at once. */
  readonly main: readonly (readonly [name: string, change: FieldChange])[];
  /** Lists what can be unfolded. */
  readonly rest: readonly (readonly [name: string, change: FieldChange])[];
}

const isSaid = ({ from, to }: FieldChange): boolean =>
  [from, to].some((value) => value !== undefined && value !== null && value !== '');

/** Returns what to show of a change: all fields of an updated row, the most telling ones of a row that came or went. */
export function splitFields({ table, change, fields }: EffectJson): SplitFields {
  const all = Object.entries(fields);
  if (change === 'updated')
    return { main: all.filter(([name]) => name !== 'modifiedOn'), rest: all.filter(([name]) => name === 'modifiedOn') };
  const wanted = headlines[table] ?? [];
  const main = wanted.flatMap((name) => all.filter(([field, values]) => field === name && isSaid(values)));
  return { main, rest: all.filter((field) => !main.includes(field)) };
}

/** Returns how many points the transactions among these effects add or take, by which a customer gains or loses. */
export function pointsChanged(effects: readonly EffectJson[]): number {
  return effects
    .filter(({ table, change }) => table === 'pointTransactions' && change === 'created')
    .reduce((sum, { fields }) => sum + Number(fields['amount']?.to ?? 0), 0);
}
