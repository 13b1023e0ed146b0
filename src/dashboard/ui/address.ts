/** Reads and writes addresses of the page: `#<tenant>/<view>/<about>`, where the last part may be missing. */
import { selectedTenant } from '../api/selected-tenant.ts';

export interface Address {
  /** Is undefined in an address without a tenant, which is about the selected one. */
  readonly tenant: string | undefined;
  /** Is empty when the address names no view. */
  readonly view: string;
  readonly about: string;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Reads the part of an address after its `#`; `views` are the names that a view may have. */
export function readAddress(hash: string, views: readonly string[]): Address {
  const parts = hash.replace(/^#/, '').split('/').map(decoded);
  const [first = '', second = '', third = ''] = parts;
  // The second part tells: a tenant may have the name of a view.
  if (views.includes(second)) return { tenant: first, view: second, about: third };
  if (views.includes(first)) return { tenant: undefined, view: first, about: second };
  return { tenant: first === '' ? undefined : first, view: '', about: '' };
}

/** Returns the address of a view of the selected tenant. */
export function addressOf(view: string, about = ''): string {
  const parts = about === '' ? [selectedTenant(), view] : [selectedTenant(), view, about];
  return `#${parts.map(encodeURIComponent).join('/')}`;
}
