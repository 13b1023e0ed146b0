/** What a till has to go through for a scenario that comes along to show, by its file's name. */
export const shippedDays = {
  'lost-contact.yaml': { email: 'somebody.new@example.com' },
  'balance-job-fails.yaml': { isMaster: true },
  'outage.yaml': { checkouts: 3, advance: '8m' },
};

/**
 * What the reference till declares where time passes on the simulator's clock instead of being waited for: nothing that
 * a busy machine does to a call counts beside such pauses. All in ms.
 */
export const tillPolicy = {
  maxAttempts: 4,
  minBackoff: [20_000, 40_000, 80_000],
  tolerance: 5_000,
  storeAndForward: { after: 600_000 },
  retryStorm: { maxConcurrent: 4 },
};

/** What it declares where it waits in real time. */
export const realPolicy = {
  ...tillPolicy,
  minBackoff: [40, 80, 160],
  tolerance: 15,
  storeAndForward: { after: 500 },
};

/** The pauses of both tills, and how long they wait for an answer, in ms. */
export const tillPauses = { pauses: tillPolicy.minBackoff, fallbackPause: 900_000, timeout: 40_000 };
export const realPauses = { pauses: realPolicy.minBackoff, fallbackPause: 600, timeout: 1000, isReal: true };
