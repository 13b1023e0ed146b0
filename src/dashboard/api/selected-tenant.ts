let tenant = 'default';
/** Aborts calls about a tenant once another is selected. */
let selection = new AbortController();

export const selectedTenant = (): string => tenant;

/** Returns a signal that is aborted when another tenant is selected. */
export const selectionSignal = (): AbortSignal => selection.signal;

export function selectTenant(name: string): void {
  selection.abort();
  selection = new AbortController();
  tenant = name;
}
