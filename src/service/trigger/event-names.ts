/** What happens inside the service and not through its API, by the names that a tester asks for it. */
export const triggerEvents = [
  'adjustPoints',
  'assignPromotion',
  'assignChallenge',
  'convertPoints',
  'switchPendingPoints',
  'syncBalances',
] as const;
