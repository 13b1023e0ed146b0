/**
 * Lists public names that were replaced, each with what takes its place: keys of files and of the control API, options,
 * and words that a field takes. A name may have several, since the same word was used in several places.
 */
const renamedNames: Readonly<Record<string, readonly string[]>> = {
  // The policy of a scenario.
  attempts: ['maxAttempts'],
  minPause: ['minBackoff'],
  volatile: ['ignoreFields'],
  window: ['deduplicationWindow'],
  fallback: ['storeAndForward'],
  storm: ['retryStorm'],
  perSecond: ['maxPerSecond'],
  atOnce: ['maxConcurrent'],
};

/** Returns the names that took the place of an old one; which of them is meant follows from what is known in its place. */
export const newNamesOf = (name: string): readonly string[] =>
  Object.hasOwn(renamedNames, name) ? (renamedNames[name] ?? []) : [];
