import * as z from '../../core/validation/deferred-zod.ts';
import type { CardContext, CardSection, LatestItems } from '../resource/card-section.ts';
import { integerIdSchema, latestItems, latestItemsSchema } from '../resource/card-section.ts';
import { definitionOfAccount } from './ledger/ledger.ts';
import { levelOf } from './levels.ts';
import { listPointAccounts } from './lookup.ts';
import { pointAccountSchema, pointTransactionSchema } from './schema.ts';
import { serializeAccount, serializePointTransaction } from './serialize.ts';
import { pointTransactions } from './tables.ts';
import type { PointAccount } from './tables.ts';

type CardAccount = Omit<z.output<typeof pointAccountSchema>, 'links'> & {
  readonly integerId: number;
  readonly definition: string;
  readonly level: string | null;
  readonly transactions: LatestItems<z.output<typeof pointTransactionSchema>>;
};

/** Declares the point accounts of a contact's card, each with its latest transactions. */
export const pointCard = (): { readonly pointAccounts: CardSection<CardAccount[]> } => ({
  pointAccounts: {
    schema: z.array(
      pointAccountSchema
        .extend({
          integerId: integerIdSchema,
          definition: z.string(),
          level: z.string().nullable().describe('The member level that the points have reached (A-77)'),
          transactions: latestItemsSchema(pointTransactionSchema),
        })
        .omit({ links: true }),
    ),
    read: (context) =>
      listPointAccounts(context.tenant, context.contactId).map((account) => showAccount(context, account)),
  },
});

function showAccount(context: CardContext, account: PointAccount): CardAccount {
  const { tenant, self } = context;
  const { links: _, ...shown } = serializeAccount(tenant, account, self);
  const rows = { table: pointTransactions, list: 'createdOn', of: account.id };
  return {
    ...shown,
    integerId: account.number,
    definition: definitionOfAccount(tenant, account).name,
    level: levelOf(tenant, account),
    transactions: latestItems(context, rows, (row) => serializePointTransaction(tenant, row, self)),
  };
}
