/** Says where what an earlier version of the API served is found in this one. */
import { pathParameters } from '../core/exchange/path-template.ts';

/** Maps paths of the earlier version, without its prefix, to what took their place. */
export const successors: Readonly<Record<string, string>> = {
  '/contacts/{contactId}/promoteToMember': 'POST /api/v3/contacts/{contactId}/updateContactType',
  '/contacts/{contactId}/promotions': 'GET /api/v3/promotion-assignments',
  '/contacts/{contactId}/promotions/{promotionId}/redeem': 'POST /api/v3/promotions/codes/{promotionId}/redeem',
  '/contacts/{contactId}/bonuspointtransactions': 'GET /api/v3/point-transactions',
  '/contacts/{contactId}/rewardpointtransaction': 'POST /api/v3/point-transactions',
  '/contacts/{contactId}/point-accounts': 'GET /api/v3/point-accounts',
  '/contacts/{contactId}/transactions': 'GET /api/v3/transactions',
  '/contacts/{contactId}/receipts': 'GET /api/v3/transactions',
  '/contacts/{contactId}/challenges': 'GET /api/v3/challenges',
  '/contacts/{contactId}/consents': 'POST /api/v3/contacts/{contactId}',
  '/contacts/{contactId}/preferences/{preference}': 'PATCH /api/v3/contacts/{contactId}',
  '/contacts/{contactType}/bykey': 'GET /api/v3/contacts/id',
  '/contacts/{contactType}/bykey/{keyValue}': 'GET /api/v3/contacts/id',
  '/contacts/{contactType}/byexternalid/{externalId}': 'GET /api/v3/contacts/id',
  '/point-accounts/{id}/transactions': 'GET /api/v3/point-accounts/transactions',
  '/bonuspointtransactions': 'GET /api/v3/point-transactions',
  '/promotions': 'GET /api/v3/promotion-assignments',
};

/** Returns the endpoint that took the place of a path, given in small letters and without its prefix. */
export function successorOf(path: string): string | undefined {
  const earlier = Object.keys(successors).find((known) => pathParameters(known.toLowerCase(), path) !== undefined);
  return earlier === undefined ? undefined : successors[earlier];
}
