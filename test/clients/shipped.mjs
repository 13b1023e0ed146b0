/** What a till has to go through for a scenario that comes along to show, by its file's name. */
export const shippedDays = {
  'lost-contact.yaml': { email: 'somebody.new@example.com' },
  'balance-job-fails.yaml': { isMaster: true },
  'outage.yaml': { checkouts: 3, advance: '8m' },
};

/** What the reference till declares. */
export const tillPolicy = {
  attempts: 4,
  minPause: [40, 80, 160],
  tolerance: 15,
  fallback: { after: 500 },
  storm: { atOnce: 4 },
};
