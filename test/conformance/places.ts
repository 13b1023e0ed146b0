/** Where our schemas declare the fields of the specification's tables. */
import { declaredFields } from './matching.ts';
import type { Json, Place } from './matching.ts';
import type { FieldRow, FieldTable } from './spec/fields.ts';

const contact = { endpoint: 'contacts.get', of: 200 } as const;
const receipt = { endpoint: 'receipts.create', of: 'body' } as const;

const places: Readonly<Record<string, Place>> = {
  Contact: contact,
  Preferences: { ...contact, at: 'preferences' },
  ConsentDefinition: { endpoint: 'consents.list', of: 200, at: '[]' },
  ContactConsent: { ...contact, at: 'consents.[]' },
  ConsentItem: { endpoint: 'contacts.setConsents', of: 'body', at: 'consents.[]' },
  Receipt: receipt,
  ReceiptContact: { ...receipt, at: 'contact' },
  PaymentMethod: { ...receipt, at: 'paymentMethods.[]' },
  UsedRewardVoucher: { ...receipt, at: 'usedRewardVouchers.[]' },
  UsedPromotion: { ...receipt, at: 'usedPromotions.[]' },
  ReceiptItem: { ...receipt, at: 'items.[]' },
  ExtraData: { ...receipt, at: 'items.[].extraData.[]' },
  Discount: { ...receipt, at: 'items.[].discounts.[]' },
  ChallengeDefinition: { endpoint: 'challenges.getDefinition', of: 200 },
  ChallengeDefinitionList: { endpoint: 'challenges.listDefinitions', of: 200 },
  Link: { endpoint: 'challenges.get', of: 200, at: 'links.[]' },
  Challenge: { endpoint: 'challenges.get', of: 200 },
  CheckpointAwardBlock: { endpoint: 'challenges.awardCheckpoints', of: 'body', at: '[]' },
  CheckpointAwardResponse: { endpoint: 'challenges.awardCheckpoints', of: 200 },
  PointAccount: { endpoint: 'points.listAccounts', of: 200, at: 'items.[]' },
  PointAccountList: { endpoint: 'points.listAccounts', of: 200 },
  PointTransaction: { endpoint: 'points.getTransaction', of: 200 },
  PointTransactionList: { endpoint: 'points.listTransactions', of: 200 },
  BalanceSyncItem: { endpoint: 'points.setBalances', of: 'body', at: '[]' },
  BalanceStatus: { endpoint: 'points.getBalancesStatus', of: 200 },
  BalanceStatusMessage: { endpoint: 'points.getBalancesStatus', of: 200, at: 'messages.[]' },
  SinglePointTransactionBody: { endpoint: 'points.addTransaction', of: 'body' },
  BulkPointTransactionItem: { endpoint: 'points.addTransactions', of: 'body', at: '[]' },
  PurchaseHistorySummary: { endpoint: 'contacts.purchaseHistorySummary', of: 200 },
};

/** Where the rows of a table stand in what is served. */
export function placeOf({ table }: FieldTable): Place {
  const place = places[table];
  if (!place) throw new Error(`no place is known for the table ${table}`);
  return place;
}

/** The field of a row, which may be one of another's: `metaData.displayText`. */
export function declaredField(table: FieldTable, { name }: FieldRow): Json | undefined {
  const place = placeOf(table);
  const [last = '', ...outer] = name.split('.').toReversed();
  const at = [place.at, ...outer.toReversed()].filter((step) => step !== undefined).join('.');
  return declaredFields({ ...place, at })[last];
}
