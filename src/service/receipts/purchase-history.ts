/** The arithmetic of the purchase history summary. */
import { roundAmount } from './amounts.ts';
import type { PurchaseHistorySummary } from './schema.ts';

/** Returns what a receipt adds to the sums of its contact: amount in group currency, articles, and itself. */
type Sums = readonly number[];

interface Windows {
  readonly all: Sums;
  readonly lastYear: Sums;
  readonly lastTwoYears: Sums;
}

function figuresOf([amount = 0, articles = 0, receipts = 0]: Sums) {
  return {
    amount: roundAmount(amount),
    articles: roundAmount(articles, 6),
    average: receipts === 0 ? 0 : roundAmount(amount / receipts),
    frequency: receipts,
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
