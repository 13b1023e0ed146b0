/** Holds the arithmetic of the purchase history summary. */
import { roundAmount } from './amounts.ts';
import type { PurchaseHistorySummary } from './schema.ts';

/** Returns what a receipt adds to the sums of its contact: amount in group currency, articles, itself, and whether it sold something. */
type Sums = readonly number[];

interface Windows {
  readonly all: Sums;
  readonly lastYear: Sums;
  readonly lastTwoYears: Sums;
}

function figuresOf([amount = 0, articles = 0, receipts = 0, sales = 0]: Sums) {
  const frequency = sales === 0 ? 0 : receipts;
  return {
    amount: roundAmount(amount),
    articles: roundAmount(articles, 6),
    average: frequency === 0 ? 0 : roundAmount(amount / frequency),
    frequency,
  };
}

export function summarizePurchases(
  windows: Windows,
): Omit<PurchaseHistorySummary, 'lastUpdated' | 'latestReceiptDate'> {
  const all = figuresOf(windows.all);
  const lastYear = figuresOf(windows.lastYear);
  const lastTwoYears = figuresOf(windows.lastTwoYears);
  return {
    purchaseAmountAll: all.amount,
    purchaseAmountLastYear: lastYear.amount,
    purchaseAmountLastTwoYears: lastTwoYears.amount,
    numberOfArticlePurchasesAll: all.articles,
    numberOfArticlePurchasesLastYear: lastYear.articles,
    numberOfArticlePurchasesLastTwoYears: lastTwoYears.articles,
    averageReceiptAll: all.average,
    averageReceiptLastYear: lastYear.average,
    averageReceiptLastTwoYears: lastTwoYears.average,
    purchaseFrequencyAll: all.frequency,
    purchaseFrequencyLastYear: lastYear.frequency,
    purchaseFrequencyLastTwoYears: lastTwoYears.frequency,
  };
}
