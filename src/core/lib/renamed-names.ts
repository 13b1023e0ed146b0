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
  // A fault.
  pieces: ['chunks'],
  pause: ['interval'],
  rotatedKey: ['rotated-key'],
  'lost-answer': ['lost-response'],
  // The retry class of an endpoint.
  read: ['safe'],
  flip: ['once'],
  // Expectations and steps.
  call: ['request'],
  noUnexpectedCalls: ['noUnexpectedRequests'],
  whole: ['complete'],
  partly: ['partial'],
  nothing: ['none'],
  fault: ['networkError'],
  cut: ['truncated'],
  garbage: ['invalid'],
  // Sections of a scenario, and options.
  master: ['pointMaster'],
  assume: ['assumptions'],
};

/** Returns the names that took the place of an old one; which of them is meant follows from what is known in its place. */
export function newNamesOf(name: string): readonly string[] {
  const [word = '', ...rest] = name.split('/');
  const replaced = Object.hasOwn(renamedNames, word) ? (renamedNames[word] ?? []) : [];
  // The id of a conformance case begins with a retry class: `flip/500`.
  return replaced.map((now) => [now, ...rest].join('/'));
}
