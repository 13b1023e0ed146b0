/** Lists the parts of a tenant that can be put back as they were at the start. */
export const resetScopes = ['state', 'journal', 'faults', 'clock', 'queue', 'webhooks'] as const;
export type ResetScope = (typeof resetScopes)[number];

/** Says what was restored: parts of a tenant to the start, or everything that a snapshot holds. */
export type RestoreEvent = { readonly scopes: readonly ResetScope[] } | { readonly snapshot: string };
