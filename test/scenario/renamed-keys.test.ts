/** Keys and words of scenario files that were replaced: each old one is answered with the new one, at its place. */
import { expect, it } from 'vitest';
import { parseScenarioFile } from '../../src/scenario/load.ts';

it.each([
  ['policy: { attempts: 4 }', '1:11: policy.attempts', 'maxAttempts'],
  ['policy: { minPause: 1s }', '1:11: policy.minPause', 'minBackoff'],
  ['policy: { volatile: [sentAt] }', '1:11: policy.volatile', 'ignoreFields'],
  ['policy: { window: 5m }', '1:11: policy.window', 'deduplicationWindow'],
  ['policy: { fallback: { after: 1m } }', '1:11: policy.fallback', 'storeAndForward'],
  ['policy: { storm: { perSecond: 20 } }', '1:11: policy.storm', 'retryStorm'],
  ['policy: { retryStorm: { perSecond: 20 } }', '1:25: policy.retryStorm.perSecond', 'maxPerSecond'],
  ['policy: { retryStorm: { atOnce: 4 } }', '1:25: policy.retryStorm.atOnce', 'maxConcurrent'],
])('answers the old name in "%s" with the new one', (text, place, now) => {
  expect(() => parseScenarioFile({ name: 'till.yaml', text })).toThrow(
    `till.yaml:${place}: is not a field here; it is called "${now}" now`,
  );
});
