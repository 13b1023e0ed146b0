/** What a till has to go through for a scenario that comes along to show, by its file's name. */
export const shippedDays = {
  'lost-contact.yaml': { email: 'somebody.new@example.com' },
  'balance-job-fails.yaml': { isMaster: true },
  'outage.yaml': { checkouts: 3, advance: '8m' },
};

/** What the reference till declares. */
export const tillPolicy = {
  maxAttempts: 4,
  minBackoff: [40, 80, 160],
  tolerance: 15,
  storeAndForward: { after: 500 },
  retryStorm: { maxConcurrent: 4 },
};
