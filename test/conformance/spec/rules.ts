import type { Part } from './endpoints.ts';

export interface RuleRow {
  readonly id: string;
  readonly section: string;
  readonly part: Part;
  readonly text: string;
}

export const rules = [
  { id: 'intro.baseUrl', section: 'Introduction', part: 1, text: 'All paths are relative to {base_url}.' },
  {
    id: 'intro.pathPrefix',
    section: 'Introduction',
    part: 1,
    text: 'Every endpoint path starts with /api/v3 unless stated otherwise.',
  },
  { id: 'intro.bodies', section: 'Introduction', part: 1, text: 'Bodies are JSON.' },
  { id: 'intro.timestamps', section: 'Introduction', part: 1, text: 'Timestamps are ISO 8601 with a UTC offset.' },
  {
    id: 'general.rule.1',
    section: 'What the service does',
    part: 1,
    text:
      'Calls are synchronous: the caller waits for the response. The following calls only queue work: POST ' +
      '/contacts/bulk, POST /point-accounts/balances, POST /point-accounts/transactions (202) and POST ' +
      '/receipts (202).',
  },
  {
    id: 'general.rule.2',
    section: 'What the service does',
    part: 1,
    text:
      'Client guidance: when there is no response, or status 500 or 504, the caller retries. Validation errors ' +
      'are corrected before a retry. The caller keeps a local fallback for extended outages.',
  },
  {
    id: 'general.rule.3',
    section: 'What the service does',
    part: 1,
    text: 'The contact id (a GUID) returned on lookup or creation is meant to be stored by the caller and reused.',
  },
  {
    id: 'general.rule.4',
    section: 'What the service does',
    part: 1,
    text: 'Amounts in the purchase history summary are in the group currency.',
  },
  {
    id: 'contact.rule.1',
    section: 'Contact',
    part: 1,
    text: 'In an update, a field name that does not exist on the contact is ignored and no error is returned.',
  },
  {
    id: 'contact.rule.2',
    section: 'Contact',
    part: 1,
    text:
      'In an update, every field present in the payload overwrites the stored value, including empty strings ' +
      'and null.',
  },
  {
    id: 'contact.rule.3',
    section: 'Contact',
    part: 1,
    text:
      "A key used for matching must be a unique data field of the contact type, but need not be that type's " +
      'primary key.',
  },
  {
    id: 'contact.memberNumber',
    section: 'Contact',
    part: 1,
    text: 'memberNumber is normally a unique sequence created by the service.',
  },
  {
    id: 'contact.contactType',
    section: 'Contact',
    part: 1,
    text: 'contactType is changed only through the updateContactType endpoint; a PATCH does not change it.',
  },
  {
    id: 'contact.consents',
    section: 'Contact',
    part: 1,
    text: 'Only consents with value true or false appear in consents.',
  },
  {
    id: 'contact.matchKeys',
    section: 'Contact',
    part: 1,
    text: 'email, mobilePhone, memberNumber, externalId and socialSecurityNumber are usable as match keys.',
  },
  {
    id: 'consentDefinition.texts',
    section: 'Consent definition (tenant level)',
    part: 1,
    text:
      'displayText, linkText and conditionText map a language culture name (form xx-XX) to a string; ' +
      'displayText may be an empty object.',
  },
  {
    id: 'consentDefinition.configuration',
    section: 'Consent definition (tenant level)',
    part: 1,
    text:
      'A consent is configured with name, id, type (value Consent), default value (Not set for unset), display ' +
      'text, link text and condition text.',
  },
  {
    id: 'consentDefinition.localization',
    section: 'Consent definition (tenant level)',
    part: 1,
    text: 'The texts may be localized by culture name.',
  },
  {
    id: 'consentDefinition.displayText',
    section: 'Consent definition (tenant level)',
    part: 1,
    text: 'Display text is shown immediately before the link text.',
  },
  { id: 'contactConsent.value', section: 'Contact consent (contact level)', part: 1, text: 'true = Yes, false = No.' },
  { id: 'contactConsent.date', section: 'Contact consent (contact level)', part: 1, text: 'date is returned on read.' },
  {
    id: 'receipt.rule.1',
    section: 'Receipt (request body of POST /receipts)',
    part: 1,
    text:
      'When contact.matchKeyType is contactId, contact.contactType is not required. If it is omitted, the ' +
      'default contact type of the tenant is used.',
  },
  {
    id: 'receipt.rule.2',
    section: 'Receipt (request body of POST /receipts)',
    part: 1,
    text:
      'In API v3, usedRewardVouchers replaces the earlier usedBonusChecks, and voucherNumber replaces ' +
      'checkNumber.',
  },
  {
    id: 'receipt.rule.3',
    section: 'Receipt (request body of POST /receipts)',
    part: 1,
    text: 'A receipt may contain purchased items and returned items.',
  },
  {
    id: 'receipt.rule.4',
    section: 'Receipt (request body of POST /receipts)',
    part: 1,
    text:
      'Receipt data cannot be reversed or updated after it is sent. Only finalized purchases (usually payment ' +
      'processed) are sent.',
  },
  {
    id: 'receipt.rule.5',
    section: 'Receipt (request body of POST /receipts)',
    part: 1,
    text:
      'Receipts can also be imported as XML files by FTP. Then no contact GUIDs are returned for contacts ' +
      'created by that route.',
  },
  {
    id: 'receipt.usedPromotions',
    section: 'Receipt (request body of POST /receipts)',
    part: 1,
    text: 'Each of usedPromotions has couponId OR promotionId, never both. couponId is the recommended one.',
  },
  {
    id: 'receipt.discountValue',
    section: 'Receipt (request body of POST /receipts)',
    part: 1,
    text: 'A discount is a negative number.',
  },
  {
    id: 'purchaseHistorySummary.types',
    section: 'Purchase history summary (response)',
    part: 1,
    text: 'All fields are numbers, except the two timestamps.',
  },
  {
    id: 'challengeDefinition.id',
    section: 'Challenge definition',
    part: 2,
    text: 'The id is constant for the life of the definition.',
  },
  {
    id: 'challengeDefinition.linkRels',
    section: 'Challenge definition',
    part: 2,
    text: 'The rel values seen are self, definition, previous, next and transactions.',
  },
  {
    id: 'challenge.identifiers',
    section: 'Challenge (an instance assigned to one contact)',
    part: 2,
    text:
      'There are three identifiers: the contact id, the definition id (the template) and the challenge id (one ' +
      'instance, tied to exactly one contact and one definition).',
  },
  {
    id: 'challenge.links',
    section: 'Challenge (an instance assigned to one contact)',
    part: 2,
    text: 'links holds link objects with rels self and definition.',
  },
  {
    id: 'challenge.textFilters',
    section: 'Challenge (an instance assigned to one contact)',
    part: 2,
    text: 'The challenge filter and definition status parameters accept text values.',
  },
  {
    id: 'pointAccount.identity',
    section: 'Point account',
    part: 2,
    text: 'A point account is identified by one contact and one point definition.',
  },
  {
    id: 'pointAccount.independence',
    section: 'Point account',
    part: 2,
    text: 'A contact has one independent account per point definition.',
  },
  {
    id: 'pointAccount.id',
    section: 'Point account',
    part: 2,
    text: 'The id is shown as an integer in some payloads and as a GUID in others.',
  },
  { id: 'pointAccount.balance', section: 'Point account', part: 2, text: 'balance is the active points.' },
  {
    id: 'pointAccount.pendingPoints',
    section: 'Point account',
    part: 2,
    text: 'pendingPoints is the points whose validFrom is in the future.',
  },
  {
    id: 'pointAccount.balanceExpires',
    section: 'Point account',
    part: 2,
    text: 'The behavior of balanceExpires is unpredictable, so callers must not rely on it.',
  },
  {
    id: 'pointAccount.inactivity',
    section: 'Point account',
    part: 2,
    text: 'pointsWillExpireDueToInactivity applies only to the expiry method Contact inactive.',
  },
  {
    id: 'pointAccount.links',
    section: 'Point account',
    part: 2,
    text: 'links are optional helper links (rels definition, transactions).',
  },
  { id: 'pointTransaction.amount', section: 'Point transaction', part: 2, text: 'amount is negative for deductions.' },
  {
    id: 'pointTransaction.type',
    section: 'Point transaction',
    part: 2,
    text: 'type is Addition, Deduction, Expiry or Cancellation. A single-transaction read also shows Adjustment.',
  },
  {
    id: 'pointTransaction.source',
    section: 'Point transaction',
    part: 2,
    text:
      'Values of source seen: Automation, Purchase, RewardVoucher, BonusPromotion, Adjustment, Return, Manual. ' +
      'Others exist.',
  },
  {
    id: 'pointTransaction.validFrom',
    section: 'Point transaction',
    part: 2,
    text: 'A future validFrom makes the points pending.',
  },
  {
    id: 'pointTransaction.retailTransactionLineItemId',
    section: 'Point transaction',
    part: 2,
    text: 'retailTransactionLineItemId links the point change to the receipt line item that caused it.',
  },
  {
    id: 'pointTransaction.description',
    section: 'Point transaction',
    part: 2,
    text: 'description may hold a placeholder code; the caller maps each to its own text.',
  },
  {
    id: 'pointTransaction.code.Bonus.Points',
    section: 'Point transaction',
    part: 2,
    text: '@@(Bonus.Points): points awarded for a purchase.',
  },
  {
    id: 'pointTransaction.code.RemovedDueToTimeLimit',
    section: 'Point transaction',
    part: 2,
    text: '@@(RemovedDueToTimeLimit): points passed their expiry date.',
  },
  {
    id: 'pointTransaction.code.Bonus.DeductionForDiscount',
    section: 'Point transaction',
    part: 2,
    text: '@@(Bonus.DeductionForDiscount): points removed because the price was discounted.',
  },
  {
    id: 'pointTransaction.code.Bonus.DeductionForReturn',
    section: 'Point transaction',
    part: 2,
    text: '@@(Bonus.DeductionForReturn): points removed because of a return.',
  },
  {
    id: 'pointTransaction.code.ConvertedToBonusCheck',
    section: 'Point transaction',
    part: 2,
    text: '@@(ConvertedToBonusCheck): points converted to a voucher.',
  },
  {
    id: 'pointTransaction.active',
    section: 'Point transaction',
    part: 2,
    text: 'Active points: no validFrom, or validFrom in the past.',
  },
  {
    id: 'pointTransaction.pending',
    section: 'Point transaction',
    part: 2,
    text: 'Pending points: validFrom in the future.',
  },
  {
    id: 'consent.notSetNotListed',
    section: 'Consent value on a contact',
    part: 1,
    text: 'A contact with a consent in Not set does not list it in the overview.',
  },
  {
    id: 'points.activatingPending',
    section: 'States and transitions: Points',
    part: 2,
    text:
      'Activating the pending-points function does not affect points a contact already owns. Only later points ' +
      'can be pending.',
  },
  {
    id: 'promotionAssignment.listing',
    section: 'Promotion assignment',
    part: 1,
    text:
      'The assignment listing returns a promotion when both the assignment and its main promotion (template) ' +
      'are active.',
  },
  {
    id: 'promotionAssignment.redeemedListing',
    section: 'Promotion assignment',
    part: 1,
    text: 'Redeemed promotions may still appear if they otherwise meet the active criteria.',
  },
  {
    id: 'contactType.upgrading',
    section: 'Contact type',
    part: 1,
    text: 'Changing a contact from another type to Member is called upgrading.',
  },
  { id: 'contactType.patch', section: 'Contact type', part: 1, text: 'A PATCH never changes the type.' },
  {
    id: 'contacts.bulkUpdates',
    section: 'Endpoints: Contacts',
    part: 1,
    text: 'The single-contact PATCH is not for bulk updates; the bulk endpoints are used for those.',
  },
  {
    id: 'contacts.fullConsentPicture',
    section: 'Endpoints: Contacts',
    part: 1,
    text:
      "A full picture of one contact's consents, including unset ones, is built by combining GET /consents with " +
      'the consents from the overview.',
  },
  {
    id: 'promotions.checkoutOrder',
    section: 'Endpoints: Promotions',
    part: 1,
    text:
      'Order of a checkout flow: fetch the promotions, apply the deduction, update changed contact data with ' +
      'PATCH, redeem, then include the promotion identifier in the receipt.',
  },
  {
    id: 'challenges.integerParameters',
    section: 'Endpoints: Challenges',
    part: 2,
    text:
      'contactId and definitionId are declared as integers in the parameter lists, while the payloads carry ' +
      'GUID strings.',
  },
  {
    id: 'checkpoint.rule.1',
    section: 'Endpoints: Challenges',
    part: 2,
    text: 'A block with incorrect data is skipped and the remaining blocks are processed.',
  },
  {
    id: 'checkpoint.rule.2',
    section: 'Endpoints: Challenges',
    part: 2,
    text:
      'The response is still 200 and holds missingContactIds (array), missingDefinitionIds (array) and ' +
      'notAccepted (array of the skipped blocks, in the award-block shape).',
  },
  {
    id: 'challenges.assignConsent',
    section: 'Endpoints: Challenges',
    part: 2,
    text: "Assigning does not check consent. The retailer obtains the contact's approval before the call.",
  },
  {
    id: 'points.accountTransactions',
    section: 'Endpoints: Points',
    part: 2,
    text:
      'The transactions of an account are also given under GET /api/v3/point-accounts/{accountId}, and the ' +
      'account links point to /point-accounts/transactions?accountId=<account_id>. Both forms occur in the ' +
      'interface.',
  },
  {
    id: 'points.singleTransactionRequired',
    section: 'Endpoints: Points',
    part: 2,
    text:
      'accountId and transactionId are required in a single transaction; transactionId is a unique id from the ' +
      "caller's own system.",
  },
  {
    id: 'points.expirySettings',
    section: 'Endpoints: Points',
    part: 2,
    text:
      'When expiry settings are configured and validTo or expireAfterMonthsInactive matches that setting, both ' +
      'may be left blank and are then filled from the settings.',
  },
  {
    id: 'points.bulkAmount',
    section: 'Endpoints: Points',
    part: 2,
    text:
      'The amount of a bulk item is added to the account of its contact and definition; the account is created ' +
      'if missing.',
  },
  {
    id: 'points.bulkValidFrom',
    section: 'Endpoints: Points',
    part: 2,
    text: 'A future validFrom in a bulk item creates pending points.',
  },
  {
    id: 'points.balanceSync',
    section: 'Endpoints: Points',
    part: 2,
    text: "Balance sync: processing is a queued job that sets the total of each listed contact's account to the given amount.",
  },
  {
    id: 'points.balancesMode',
    section: 'Endpoints: Points',
    part: 2,
    text: 'The balances POST is used only in point-follower mode.',
  },
  {
    id: 'pointHistory.host',
    section: 'External point history endpoint',
    part: 5,
    text: 'The endpoint is hosted by the point master and called by the service.',
  },
  {
    id: 'pointHistory.contactCard',
    section: 'External point history endpoint',
    part: 5,
    text: 'The service shows this history on the contact card when it is the point follower.',
  },
  {
    id: 'follower.webhookMode',
    section: 'Events',
    part: 5,
    text: 'The service sends one outbound webhook, used only when it is the point follower.',
  },
  {
    id: 'follower.notAppliedAtOnce',
    section: 'Events',
    part: 5,
    text: 'A point adjustment made in the service by an automation or manually is not applied at once.',
  },
  {
    id: 'follower.sentToMaster',
    section: 'Events',
    part: 5,
    text: 'The adjustment is sent to a webhook address configured for the point master.',
  },
  {
    id: 'follower.nextSync',
    section: 'Events',
    part: 5,
    text: "The point master applies it and the change appears in the service after the master's next balance sync.",
  },
  {
    id: 'follower.configureFirst',
    section: 'Events',
    part: 5,
    text: 'The webhook must be configured before use, or adjustments are missed.',
  },
  {
    id: 'follower.encryptedPayload',
    section: 'Events',
    part: 5,
    text: 'The payload is encrypted. The key is entered in the service and shared separately with the point master.',
  },
  {
    id: 'follower.automationSource',
    section: 'Events',
    part: 5,
    text: 'An adjustment by an automation has source Automation.',
  },
  { id: 'follower.manualSource', section: 'Events', part: 5, text: 'A manual adjustment has source Manual.' },
  {
    id: 'follower.noPurchasePoints',
    section: 'Events',
    part: 5,
    text: 'In point-follower mode the service stops generating points from purchases.',
  },
  {
    id: 'follower.featuresOff',
    section: 'Events',
    part: 5,
    text:
      'Point-based member levels, extra points on purchase and reward voucher generation do not work in ' +
      'point-follower mode.',
  },
  {
    id: 'follower.otherWebhooks',
    section: 'Events',
    part: 5,
    text: 'Other webhooks for points and vouchers exist; their kinds and payloads are not shown.',
  },
  {
    id: 'error.rule.1',
    section: 'Errors',
    part: 2,
    text: 'Checkpoint awards with incorrect data return 200 with the error details in the body.',
  },
  {
    id: 'error.rule.2',
    section: 'Errors',
    part: 1,
    text: 'A misspelled field name in a contact update produces no error and is ignored.',
  },
  {
    id: 'error.rule.3',
    section: 'Errors',
    part: 1,
    text: 'A validation error means the sent data was wrong. Fix the data before retrying.',
  },
  { id: 'version.path', section: 'Versioning', part: 1, text: 'The version is part of the path: /api/v3.' },
  {
    id: 'version.rule.1',
    section: 'Versioning',
    part: 1,
    text:
      "A contact's total points are no longer returned by the contact overview. They come only from GET " +
      '/point-accounts.',
  },
  {
    id: 'version.rule.2',
    section: 'Versioning',
    part: 1,
    text: 'usedRewardVouchers replaces usedBonusChecks, and voucherNumber replaces checkNumber, in receipts.',
  },
  {
    id: 'version.rule.3',
    section: 'Versioning',
    part: 2,
    text: 'The handling of point transaction descriptions changed (placeholder codes).',
  },
  { id: 'version.rule.4', section: 'Versioning', part: 2, text: 'The point-accounts endpoints changed slightly.' },
  {
    id: 'version.rule.5',
    section: 'Versioning',
    part: 2,
    text: 'GET /point-accounts/balances/status/{id} is deprecated and is not to be used in new workflows.',
  },
] as const satisfies readonly RuleRow[];
