/** Statuses that libraries repeat, as far as the atlas has them. */
export const passing = [429, 500, 503, 504];
export const serverErrors = [500, 503, 504];
export const all = [400, 404, 409, 429, 500, 503, 504];
export const every = ['GET', 'PATCH', 'POST'] as const;

/** What does not repeat anything. */
export const never = {
  methods: [],
  statuses: [],
  networkErrors: false,
  timeouts: false,
  attempts: 1,
  pauses: 'none',
  heedsRetryAfter: false,
} as const;
