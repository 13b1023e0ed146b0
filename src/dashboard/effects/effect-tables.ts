/** Made by `npm run generate` from the headlines in the resources of src/service. Change those, not this. */

export interface EffectTable {
  /** Heads the changes of the table. */
  readonly group: string;
  /** Names the fields that say the most of a created or deleted row. */
  readonly fields: readonly string[];
  /** Names a field of created rows that is added up, and the unit of its sum. */
  readonly sum?: { readonly field: string; readonly unit: string };
}

/** Holds how the changes of each table are shown. */
export const effectTables: Readonly<Record<string, EffectTable>> = {
  "jobs": {
    "group": "Queue",
    "fields": [
      "kind",
      "dueAt",
      "status"
    ]
  },
  "timers": {
    "group": "Queue",
    "fields": [
      "kind",
      "dueAt"
    ]
  },
  "webhookDeliveries": {
    "group": "Webhooks",
    "fields": [
      "eventType",
      "status"
    ]
  },
  "retailer": {
    "group": "Retailer",
    "fields": [
      "name",
      "groupCurrency"
    ]
  },
  "contactTypes": {
    "group": "Retailer",
    "fields": [
      "name",
      "keyAttribute"
    ]
  },
  "stores": {
    "group": "Retailer",
    "fields": [
      "name",
      "city",
      "type"
    ]
  },
  "consents": {
    "group": "Consents",
    "fields": [
      "name"
    ]
  },
  "contacts": {
    "group": "Contacts",
    "fields": [
      "attributes.firstName",
      "attributes.lastName",
      "attributes.email",
      "attributes.memberNumber"
    ]
  },
  "contactBatches": {
    "group": "Contacts",
    "fields": [
      "status",
      "totalCount",
      "failedCount"
    ]
  },
  "pointDefinitions": {
    "group": "Points",
    "fields": [
      "name",
      "pointsPerUnit"
    ]
  },
  "pointAccounts": {
    "group": "Points",
    "fields": [
      "definitionId"
    ]
  },
  "pointTransactions": {
    "group": "Points",
    "fields": [
      "amount",
      "type",
      "source",
      "validFrom",
      "validTo"
    ],
    "sum": {
      "field": "amount",
      "unit": "points"
    }
  },
  "pointLots": {
    "group": "Points",
    "fields": [
      "left",
      "activeFrom",
      "expiresAt"
    ]
  },
  "pointAwards": {
    "group": "Points",
    "fields": [
      "gave",
      "sku",
      "unitPrice"
    ]
  },
  "pointBonuses": {
    "group": "Points",
    "fields": [
      "gave",
      "description"
    ]
  },
  "rememberedBulks": {
    "group": "Points",
    "fields": [
      "jobId",
      "isDone"
    ]
  },
  "balanceSyncs": {
    "group": "Points",
    "fields": [
      "status",
      "timeStamp"
    ]
  },
  "balanceStamps": {
    "group": "Points",
    "fields": [
      "timeStamp"
    ]
  },
  "challengeDefinitions": {
    "group": "Challenges",
    "fields": [
      "name",
      "status",
      "requiredNumberOfCheckpoints"
    ]
  },
  "challenges": {
    "group": "Challenges",
    "fields": [
      "definitionId",
      "completedCheckpoints",
      "challengeStart"
    ]
  },
  "promotions": {
    "group": "Promotions",
    "fields": [
      "name",
      "type",
      "expiresOn"
    ]
  },
  "promotionAssignments": {
    "group": "Promotions",
    "fields": [
      "promotionId",
      "expiresOn",
      "redeemedOn",
      "redemptionChannel"
    ]
  },
  "rewardVouchers": {
    "group": "Vouchers",
    "fields": [
      "value",
      "currency",
      "expiresOn",
      "usedOn"
    ]
  },
  "receipts": {
    "group": "Receipts",
    "fields": [
      "uniqueReceiptId",
      "totalGrossPrice",
      "currency",
      "storeExternalId"
    ]
  },
  "purchaseHistoryChanges": {
    "group": "Receipts",
    "fields": [
      "changedOn"
    ]
  },
  "orders": {
    "group": "Orders",
    "fields": [
      "orderNumber",
      "content.orderStatus",
      "content.totalGrossPrice"
    ]
  },
  "orderJobs": {
    "group": "Orders",
    "fields": [
      "orderNumber",
      "status"
    ]
  },
  "outbox": {
    "group": "Orders",
    "fields": [
      "channel",
      "to",
      "template",
      "status",
      "reason"
    ]
  },
  "importBatches": {
    "group": "Imports",
    "fields": [
      "at",
      "error"
    ]
  },
  "importedFiles": {
    "group": "Imports",
    "fields": [
      "name",
      "status",
      "imported"
    ]
  }
};
