import type { Settings } from '../core/tenant.ts';
import { emptyState, withRows } from '../core/state.ts';
import type { State } from '../core/state.ts';
import { contactTypes } from '../resources/retailer/schema.ts';

export function readFixtures(_path: string | undefined, _settings: Settings): State {
  return withRows(emptyState, contactTypes, [
    {
      id: 'Member',
      name: 'Member',
      keyAttribute: 'memberNumber',
      required: [],
      requiresOneOf: ['email', 'mobilePhone'],
    },
  ]);
}
