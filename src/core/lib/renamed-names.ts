import { InputError } from './input-error.ts';

/**
 * Maps every public name that was replaced before 0.1.0 to the one that replaces it, by the place where it is written:
 * what is typed on the command line, keys of files and of the control API, options, and the values of a field.
 */
const renamedNames = {
  command: { master: 'point-master' },
  flag: {
    '--with-master': '--with-point-master',
    '--api-keys': '--api-key',
    '--scenarios': '--matrix',
  },
  conformanceFlag: { '--limit': '--timeout' },
  environmentVariable: {
    LOYALTY_SIM_WITH_MASTER: 'LOYALTY_SIM_WITH_POINT_MASTER',
    LOYALTY_SIM_ASSUME: 'LOYALTY_SIM_ASSUMPTIONS',
  },
  configKey: { apiKey: 'apiKeys', withMaster: 'withPointMaster', assume: 'assumptions' },
  simOption: {
    onExchange: 'onRequest',
    onFault: 'onInternalError',
    onMasterEntry: 'onPointMasterEvent',
    onNote: 'onWarning',
  },
  pointMasterOption: { onEntry: 'onEvent', onFault: 'onInternalError', faultFor: 'faultSource' },
  sim: { master: 'pointMaster' },
  tenant: { use: 'applyScenario' },
  builtInScenario: { 'reset-mid-answer': 'reset-mid-response' },
  scenarioFile: { 'lost-receipt-answer.yaml': 'lost-receipt-response.yaml' },
  scenario: { master: 'pointMaster', assume: 'assumptions' },
  policy: {
    attempts: 'maxAttempts',
    minPause: 'minBackoff',
    volatile: 'ignoreFields',
    window: 'deduplicationWindow',
    fallback: 'storeAndForward',
    storm: 'retryStorm',
    perSecond: 'maxPerSecond',
    atOnce: 'maxConcurrent',
  },
  dribble: { pieces: 'chunks', pause: 'interval' },
  webhookFault: { rotatedKey: 'rotated-key' },
  pointMasterFault: { 'lost-answer': 'lost-response' },
  retryClass: { read: 'safe', flip: 'once' },
  expectation: { call: 'request', noUnexpectedCalls: 'noUnexpectedRequests' },
  delivered: { whole: 'complete', partly: 'partial', nothing: 'none' },
  step: { fault: 'networkError' },
  networkError: { cut: 'truncated', garbage: 'invalid' },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>;

type Place = keyof typeof renamedNames;

const renamedIn = (names: Readonly<Record<string, string>>, name: string): string | undefined =>
  Object.hasOwn(names, name) ? names[name] : undefined;

/** Returns `; it is called "--matrix" now` for a name that was replaced in this place, or undefined. */
export function renamedHint(place: Place, name: string): string | undefined {
  const now = renamedIn(renamedNames[place], name);
  return now === undefined ? undefined : `; it is called "${now}" now`;
}

/** Returns which of the known names took the place of an old one; what is known in a place tells the place. */
export function renamedAmong(known: readonly string[], name: string): string | undefined {
  const [word = '', ...rest] = name.split('/');
  return Object.values(renamedNames)
    .map((names) => renamedIn(names, word))
    .filter((now) => now !== undefined)
    .map((now) => [now, ...rest].join('/')) // the id of a conformance case begins with a retry class: `flip/500`
    .find((now) => known.includes(now));
}

/** Returns an object that throws an `InputError` with the new name when test code without types reads a renamed member. */
export function rejectRenamedMembers<Target extends object>(place: 'sim' | 'tenant', target: Target): Target {
  for (const [old, now] of Object.entries(renamedNames[place])) {
    const get = (): never => {
      throw new InputError(`There is no ${place}.${old}; it is called "${now}" now`);
    };
    // Not enumerable: a copy or a printed object does not read it.
    Object.defineProperty(target, old, { configurable: true, get });
  }
  return target;
}
