import { openEmpty } from './client.ts';
import type { Client } from './client.ts';

export const ada = { firstName: 'Ada', lastName: 'Ek', email: 'Ada.Ek@example.com', mobilePhone: '+46 70-174 06 01' };

/** A client of a retailer whose only contact is Ada. */
export async function openWithAda(options = {}): Promise<{ client: Client; id: string }> {
  const client = await openEmpty(options);
  const { body } = await client.post('/api/v3/contacts', ada);
  return { client, id: body.id };
}
