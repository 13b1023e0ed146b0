/** Maps every name that was replaced before 0.1.0 to the one that replaces it, by the place where it is written. */
export const renamedNames = {
  command: { master: 'point-master' },
  flag: {
    '--with-master': '--with-point-master',
    '--api-keys': '--api-key',
    '--scenarios': '--matrix',
  },
  conformanceFlag: { '--limit': '--timeout' },
  configKey: { apiKey: 'apiKeys', withMaster: 'withPointMaster' },
  environmentVariable: {
    LOYALTY_SIM_WITH_MASTER: 'LOYALTY_SIM_WITH_POINT_MASTER',
    LOYALTY_SIM_ASSUME: 'LOYALTY_SIM_ASSUMPTIONS',
  },
  simOption: {
    apiKey: 'apiKeys',
    withMaster: 'withPointMaster',
    onExchange: 'onRequest',
    onFault: 'onInternalError',
    onMasterEntry: 'onPointMasterEvent',
    onNote: 'onWarning',
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Returns `; it is called "apiKeys" now` for a name that was replaced, or undefined. */
export function renamedHint(place: keyof typeof renamedNames, name: string): string | undefined {
  const names: Readonly<Record<string, string>> = renamedNames[place];
  return Object.hasOwn(names, name) ? `; it is called "${names[name]}" now` : undefined;
}
