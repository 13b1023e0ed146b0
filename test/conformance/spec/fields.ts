import type { Part } from './endpoints.ts';

export type FieldType =
  | 'array'
  | 'boolean'
  | 'enum'
  | 'identifier'
  | 'integer'
  | 'not shown'
  | 'number'
  | 'object'
  | 'string'
  | 'string (GUID)'
  | 'string (decimal number)'
  | 'timestamp';

export interface FieldRow {
  readonly name: string;
  readonly type: FieldType;
  readonly note?: string;
}

export interface FieldTable {
  readonly table: string;
  readonly section: string;
  readonly part: Part;
  readonly fields: readonly FieldRow[];
}

export const fieldTables: readonly FieldTable[] = [
  {
    table: 'Contact',
    section: 'Contact',
    part: 1,
    fields: [
      { name: 'id', type: 'string (GUID)', note: 'Returned on creation and lookup; used as {contactId} in paths.' },
      { name: 'firstName', type: 'string' },
      { name: 'lastName', type: 'string' },
      { name: 'street', type: 'string' },
      { name: 'email', type: 'string', note: 'Usable as a match key.' },
      { name: 'mobilePhone', type: 'string', note: 'Usable as a match key.' },
      {
        name: 'memberNumber',
        type: 'string',
        note: 'Normally a unique sequence created by the service. Usable as a match key.',
      },
      { name: 'externalId', type: 'string', note: 'Usable as a match key.' },
      {
        name: 'socialSecurityNumber',
        type: 'string',
        note: 'A Swedish or Finnish personal identification number. Usable as a match key.',
      },
      { name: 'countryCode', type: 'string' },
      {
        name: 'contactType',
        type: 'string',
        note: 'Changed only through the updateContactType endpoint; a PATCH does not change it.',
      },
      {
        name: 'preferences',
        type: 'object',
        note: 'acceptsEmail (boolean), acceptsPostal (boolean), acceptsSms (boolean).',
      },
      { name: 'consents', type: 'array', note: 'Of contact consent. Only consents with value true or false appear.' },
    ],
  },
  {
    table: 'Preferences',
    section: 'Contact',
    part: 1,
    fields: [
      { name: 'acceptsEmail', type: 'boolean' },
      { name: 'acceptsPostal', type: 'boolean' },
      { name: 'acceptsSms', type: 'boolean' },
    ],
  },
  {
    table: 'ConsentDefinition',
    section: 'Consent definition (tenant level)',
    part: 1,
    fields: [
      { name: 'name', type: 'string', note: 'Display name.' },
      { name: 'id', type: 'string', note: 'Unique identifier of the consent.' },
      {
        name: 'metaData.displayText',
        type: 'object',
        note: 'Map from language culture name (form xx-XX) to string. May be an empty object.',
      },
      {
        name: 'metaData.linkText',
        type: 'object',
        note: 'Map from language culture name (form xx-XX) to string. Text of the link to the terms.',
      },
      {
        name: 'metaData.conditionText',
        type: 'object',
        note: 'Map from language culture name (form xx-XX) to string. Full terms in HTML.',
      },
    ],
  },
  {
    table: 'ContactConsent',
    section: 'Contact consent (contact level)',
    part: 1,
    fields: [
      { name: 'id', type: 'string', note: 'Consent definition id.' },
      { name: 'value', type: 'boolean', note: 'true = Yes, false = No.' },
      { name: 'date', type: 'timestamp', note: 'Returned on read.' },
      { name: 'source', type: 'string', note: 'Where the answer was given. Values seen: ECOM, POS.' },
      { name: 'comment', type: 'string', note: 'Free text.' },
    ],
  },
  {
    table: 'ConsentItem',
    section: 'Contacts',
    part: 1,
    fields: [
      { name: 'id', type: 'string' },
      { name: 'value', type: 'boolean' },
      { name: 'comment', type: 'string' },
      { name: 'source', type: 'string' },
    ],
  },
  {
    table: 'Receipt',
    section: 'Receipt (request body of POST /receipts)',
    part: 1,
    fields: [
      {
        name: 'contact',
        type: 'object',
        note: 'matchKey (string), matchKeyType (enum), contactType (string, optional).',
      },
      {
        name: 'contact.matchKeyType',
        type: 'enum',
        note: 'contactId, email, mobilePhone, memberNumber, externalId, socialSecurityNumber.',
      },
      { name: 'uniqueReceiptId', type: 'string' },
      { name: 'receiptNumber', type: 'string' },
      { name: 'createdDate', type: 'timestamp' },
      { name: 'storeExternalId', type: 'string' },
      { name: 'currency', type: 'string', note: 'Currency code.' },
      { name: 'exchangeRateToGroupCurrency', type: 'number' },
      { name: 'totalGrossPrice', type: 'number', note: 'Decimal.' },
      { name: 'paymentMethods', type: 'array', note: 'Each: type (string), description (string), value (number).' },
      { name: 'items', type: 'array', note: 'See the item table.' },
      { name: 'usedRewardVouchers', type: 'array', note: 'Each: voucherNumber (string).' },
      {
        name: 'usedPromotions',
        type: 'array',
        note: 'Each has couponId (string) OR promotionId (string), never both. couponId is the recommended one.',
      },
    ],
  },
  {
    table: 'ReceiptContact',
    section: 'Receipt (request body of POST /receipts)',
    part: 1,
    fields: [
      { name: 'matchKey', type: 'string' },
      {
        name: 'matchKeyType',
        type: 'enum',
        note: 'contactId, email, mobilePhone, memberNumber, externalId, socialSecurityNumber.',
      },
      { name: 'contactType', type: 'string', note: 'optional' },
    ],
  },
  {
    table: 'PaymentMethod',
    section: 'Receipt (request body of POST /receipts)',
    part: 1,
    fields: [
      { name: 'type', type: 'string' },
      { name: 'description', type: 'string' },
      { name: 'value', type: 'number' },
    ],
  },
  {
    table: 'UsedRewardVoucher',
    section: 'Receipt (request body of POST /receipts)',
    part: 1,
    fields: [{ name: 'voucherNumber', type: 'string' }],
  },
  {
    table: 'UsedPromotion',
    section: 'Receipt (request body of POST /receipts)',
    part: 1,
    fields: [
      { name: 'couponId', type: 'string', note: 'Recommended; never together with promotionId.' },
      { name: 'promotionId', type: 'string', note: 'Never together with couponId.' },
    ],
  },
  {
    table: 'ReceiptItem',
    section: 'Receipt (request body of POST /receipts)',
    part: 1,
    fields: [
      { name: 'type', type: 'string', note: 'PURCHASE is an allowed value' },
      { name: 'quantity', type: 'number' },
      { name: 'grossPaidPrice', type: 'number' },
      { name: 'taxAmount', type: 'number' },
      { name: 'taxPercent', type: 'number' },
      { name: 'sku', type: 'string' },
      { name: 'articleNumber', type: 'string' },
      { name: 'articleName', type: 'string' },
      { name: 'articleGroup', type: 'string' },
      { name: 'extraData', type: 'array', note: 'Of objects with name (string) and value (string).' },
      { name: 'marginPercent', type: 'string (decimal number)' },
      { name: 'awardsPoints', type: 'boolean' },
      {
        name: 'discounts',
        type: 'array',
        note: 'Of objects with type (string), description (string), value (number; a discount is a negative number).',
      },
    ],
  },
  {
    table: 'ExtraData',
    section: 'Receipt (request body of POST /receipts)',
    part: 1,
    fields: [
      { name: 'name', type: 'string' },
      { name: 'value', type: 'string' },
    ],
  },
  {
    table: 'Discount',
    section: 'Receipt (request body of POST /receipts)',
    part: 1,
    fields: [
      { name: 'type', type: 'string' },
      { name: 'description', type: 'string' },
      { name: 'value', type: 'number', note: 'A discount is a negative number.' },
    ],
  },
  {
    table: 'PurchaseHistorySummary',
    section: 'Purchase history summary (response)',
    part: 1,
    fields: [
      { name: 'lastUpdated', type: 'timestamp' },
      { name: 'latestReceiptDate', type: 'timestamp' },
      { name: 'purchaseAmountAll', type: 'number', note: 'In the group currency.' },
      { name: 'purchaseAmountLastYear', type: 'number', note: 'In the group currency.' },
      { name: 'purchaseAmountLastTwoYears', type: 'number', note: 'In the group currency.' },
      { name: 'numberOfArticlePurchasesAll', type: 'number' },
      { name: 'numberOfArticlePurchasesLastYear', type: 'number' },
      { name: 'numberOfArticlePurchasesLastTwoYears', type: 'number' },
      { name: 'averageReceiptAll', type: 'number', note: 'In the group currency.' },
      { name: 'averageReceiptLastYear', type: 'number', note: 'In the group currency.' },
      { name: 'averageReceiptLastTwoYears', type: 'number', note: 'In the group currency.' },
      { name: 'purchaseFrequencyAll', type: 'number' },
      { name: 'purchaseFrequencyLastYear', type: 'number' },
      { name: 'purchaseFrequencyLastTwoYears', type: 'number' },
    ],
  },
  {
    table: 'ChallengeDefinition',
    section: 'Challenge definition',
    part: 2,
    fields: [
      { name: 'id', type: 'string (GUID)', note: 'Constant for the life of the definition.' },
      { name: 'name', type: 'string' },
      { name: 'description', type: 'string' },
      { name: 'checkpointAssignOn', type: 'integer' },
      { name: 'checkpointAssignOnAmount', type: 'integer' },
      { name: 'requiredNumberOfCheckpoints', type: 'integer' },
      { name: 'expirationMonths', type: 'integer' },
      { name: 'isContactConsentRequired', type: 'boolean' },
      { name: 'isScheduled', type: 'boolean' },
      { name: 'status', type: 'integer' },
      { name: 'createdBy', type: 'string' },
      { name: 'modifiedBy', type: 'string' },
      { name: 'createdOn', type: 'timestamp' },
      { name: 'modifiedOn', type: 'timestamp' },
      { name: 'links', type: 'array', note: 'Of link objects.' },
    ],
  },
  {
    table: 'Link',
    section: 'Challenge definition',
    part: 2,
    fields: [
      { name: 'id', type: 'not shown' },
      { name: 'href', type: 'not shown' },
      { name: 'method', type: 'not shown' },
      { name: 'rel', type: 'not shown', note: 'Values seen: self, definition, previous, next, transactions.' },
    ],
  },
  {
    table: 'ChallengeDefinitionList',
    section: 'Challenge definition',
    part: 2,
    fields: [
      { name: 'links', type: 'not shown' },
      { name: 'count', type: 'not shown' },
      { name: 'offset', type: 'not shown' },
      { name: 'items', type: 'array', note: 'Of definitions.' },
      { name: 'totalCount', type: 'not shown' },
    ],
  },
  {
    table: 'Challenge',
    section: 'Challenge (an instance assigned to one contact)',
    part: 2,
    fields: [
      { name: 'id', type: 'string (GUID)' },
      { name: 'challengeId', type: 'string (GUID)' },
      { name: 'contactId', type: 'string (GUID)' },
      { name: 'challengeStart', type: 'timestamp' },
      { name: 'completedCheckpoints', type: 'integer' },
      { name: 'requiredCheckpoints', type: 'integer' },
      { name: 'isActive', type: 'boolean' },
      { name: 'isChallengeCompleted', type: 'boolean' },
      { name: 'latestCheckpointAddedOn', type: 'timestamp' },
      { name: 'status', type: 'integer' },
      { name: 'links', type: 'array', note: 'Of link objects (rels self and definition).' },
    ],
  },
  {
    table: 'CheckpointAwardBlock',
    section: 'Checkpoint award block (request item and notAccepted item)',
    part: 2,
    fields: [
      { name: 'definitionId', type: 'string (GUID)' },
      { name: 'contactId', type: 'string (GUID)' },
      { name: 'checkpointAmount', type: 'integer' },
    ],
  },
  {
    table: 'CheckpointAwardResponse',
    section: 'Challenges',
    part: 2,
    fields: [
      { name: 'missingContactIds', type: 'array' },
      { name: 'missingDefinitionIds', type: 'array' },
      { name: 'notAccepted', type: 'array', note: 'Of the skipped blocks, in the award-block shape.' },
    ],
  },
  {
    table: 'PointAccount',
    section: 'Point account',
    part: 2,
    fields: [
      { name: 'id', type: 'identifier', note: 'Shown as an integer in some payloads and as a GUID in others.' },
      { name: 'contactId', type: 'string' },
      { name: 'definitionId', type: 'integer', note: 'Point definition.' },
      { name: 'balance', type: 'number', note: 'Active points.' },
      { name: 'pendingPoints', type: 'number', note: 'Points whose validFrom is in the future.' },
      {
        name: 'balanceExpires',
        type: 'timestamp',
        note:
          'Moment the balance may change through activation or expiry. Its behavior is unpredictable, so callers ' +
          'must not rely on it.',
      },
      {
        name: 'pointsWillExpireDueToInactivity',
        type: 'timestamp',
        note: 'Applies only to the expiry method Contact inactive.',
      },
      { name: 'links', type: 'array', note: 'Optional helper links (rels definition, transactions).' },
    ],
  },
  {
    table: 'PointAccountList',
    section: 'Point account',
    part: 2,
    fields: [
      { name: 'links', type: 'not shown' },
      { name: 'count', type: 'not shown' },
      { name: 'offset', type: 'not shown' },
      { name: 'items', type: 'array', note: 'Of accounts.' },
      { name: 'totalCount', type: 'not shown' },
    ],
  },
  {
    table: 'PointTransaction',
    section: 'Point transaction',
    part: 2,
    fields: [
      { name: 'id', type: 'identifier' },
      { name: 'accountId', type: 'identifier' },
      { name: 'description', type: 'string', note: 'May hold a placeholder code.' },
      {
        name: 'source',
        type: 'string',
        note:
          'Values seen: Automation, Purchase, RewardVoucher, BonusPromotion, Adjustment, Return, Manual. Others ' +
          'exist.',
      },
      { name: 'amount', type: 'number', note: 'Negative for deductions.' },
      {
        name: 'type',
        type: 'string',
        note: 'Addition, Deduction, Expiry, Cancellation. A single-transaction read also shows Adjustment.',
      },
      { name: 'transactionDate', type: 'timestamp' },
      { name: 'createdOn', type: 'timestamp' },
      { name: 'modifiedOn', type: 'timestamp' },
      { name: 'validFrom', type: 'timestamp', note: 'A future date makes the points pending.' },
      { name: 'validTo', type: 'timestamp' },
      {
        name: 'retailTransactionLineItemId',
        type: 'string (GUID)',
        note: 'Links the point change to the receipt line item that caused it.',
      },
      { name: 'links', type: 'array' },
    ],
  },
  {
    table: 'PointTransactionList',
    section: 'Point transaction',
    part: 2,
    fields: [
      { name: 'items', type: 'not shown' },
      { name: 'totalCount', type: 'not shown' },
      { name: 'offset', type: 'not shown' },
      { name: 'count', type: 'not shown' },
      { name: 'links', type: 'not shown' },
    ],
  },
  {
    table: 'BalanceSyncItem',
    section: 'Point-follower records',
    part: 2,
    fields: [
      { name: 'contactId', type: 'string (GUID)' },
      { name: 'amount', type: 'number', note: 'The new total.' },
      { name: 'definitionId', type: 'integer' },
      { name: 'timeStamp', type: 'timestamp' },
    ],
  },
  {
    table: 'BalanceStatus',
    section: 'Point-follower records',
    part: 2,
    fields: [
      { name: 'messages', type: 'array', note: 'Of message string and timeStamp.' },
      { name: 'id', type: 'string' },
      { name: 'status', type: 'string' },
      { name: 'timeStamp', type: 'timestamp' },
    ],
  },
  {
    table: 'BalanceStatusMessage',
    section: 'Point-follower records',
    part: 2,
    fields: [
      { name: 'message', type: 'string' },
      { name: 'timeStamp', type: 'timestamp' },
    ],
  },
  {
    table: 'PointHistoryItem',
    section: 'Point-follower records',
    part: 5,
    fields: [
      { name: 'transactionDate', type: 'timestamp' },
      { name: 'amount', type: 'number' },
      { name: 'description', type: 'string' },
    ],
  },
  {
    table: 'SinglePointTransactionBody',
    section: 'Points',
    part: 2,
    fields: [
      { name: 'accountId', type: 'identifier', note: 'required' },
      { name: 'transactionId', type: 'identifier', note: "required; a unique id from the caller's own system" },
      { name: 'transactionType', type: 'string', note: 'for example Addition' },
      { name: 'amount', type: 'number' },
      { name: 'description', type: 'string' },
      { name: 'source', type: 'string', note: 'for example Automation' },
      { name: 'transactionDate', type: 'timestamp' },
      { name: 'validFrom', type: 'timestamp' },
      { name: 'validTo', type: 'timestamp' },
    ],
  },
  {
    table: 'BulkPointTransactionItem',
    section: 'Points',
    part: 2,
    fields: [
      { name: 'contactId', type: 'string' },
      { name: 'definitionId', type: 'integer' },
      {
        name: 'amount',
        type: 'number',
        note: 'added to the account of this contact and definition; the account is created if missing',
      },
      { name: 'timeStamp', type: 'timestamp' },
      { name: 'source', type: 'string', note: 'common values Purchase, Adjustment, Return; others exist' },
      { name: 'description', type: 'string' },
      { name: 'validFrom', type: 'timestamp', note: 'a future date creates pending points' },
      { name: 'validTo', type: 'timestamp' },
    ],
  },
  {
    table: 'WebhookEnvelope',
    section: 'Events',
    part: 5,
    fields: [
      { name: 'eventType', type: 'string', note: 'loyalty.addPoints' },
      { name: 'id', type: 'string (GUID)' },
      {
        name: 'payload',
        type: 'string',
        note: 'Encrypted. The key is entered in the service and shared separately with the point master.',
      },
      { name: 'tenant', type: 'string', note: '<tenant>' },
    ],
  },
  {
    table: 'AutomationAdjustmentPayload',
    section: 'Events',
    part: 5,
    fields: [
      { name: 'contactId', type: 'string (GUID)' },
      { name: 'amount', type: 'number' },
      { name: 'description', type: 'string' },
      { name: 'source', type: 'string', note: 'Automation' },
      { name: 'pointDefinitionId', type: 'integer' },
      { name: 'reason', type: 'string' },
      { name: 'processId', type: 'string (GUID)' },
      { name: 'workflowId', type: 'string (GUID)' },
      { name: 'workflowName', type: 'string' },
    ],
  },
  {
    table: 'ManualAdjustmentPayload',
    section: 'Events',
    part: 5,
    fields: [
      { name: 'contactId', type: 'string (GUID)' },
      { name: 'amount', type: 'number' },
      { name: 'description', type: 'string' },
      { name: 'source', type: 'string', note: 'Manual' },
      { name: 'pointDefinitionId', type: 'integer' },
      { name: 'userId', type: 'string (GUID)', note: 'GUID of the acting user.' },
      { name: 'userName', type: 'string' },
    ],
  },
];
