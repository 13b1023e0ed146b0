/** Names the contacts of a finding, which knows them by a number or an e-mail, as people know them. */
import { requestTenant } from '../api/client.ts';
import type { ContactListJson } from '../api/api-types.ts';
import { selectedTenant } from '../api/selected-tenant.ts';
import { h } from '../ui/elements.ts';
import type { Child } from '../ui/elements.ts';
import { shortened } from '../ui/shortened.ts';

/** Maps what a finding calls contacts to their names, as far as they have one. */
export type ContactNames = ReadonlyMap<string, string>;

/** Matches `100001` in `contact 100001 has 249 points too many: …`. */
const keyPattern = /(?<=\bcontact )[^\s,;:()]*[^\s,;:().]/g;

const keysIn = (message: string): string[] => message.match(keyPattern) ?? [];

/** Holds the name of each contact that was looked up, by tenant and key. */
const known = new Map<string, Promise<string | undefined>>();

/** Makes the names be read again. */
export const forgetContactNames = (): void => known.clear();

async function readName(key: string): Promise<string | undefined> {
  const { items } = await requestTenant<ContactListJson>('GET', '/contacts', { query: { search: key, limit: '20' } });
  // What only contains the key may be somebody else.
  return items.find(({ id, memberNumber, email }) => [id, memberNumber, email].includes(key))?.name || undefined;
}

function nameOf(key: string): Promise<string | undefined> {
  const place = `${selectedTenant()} ${key}`;
  const name =
    known.get(place) ??
    readName(key).catch(() => {
      known.delete(place);
      return undefined;
    });
  known.set(place, name);
  return name;
}

/** Reads the names of the contacts in these messages. */
export async function readContactNames(messages: readonly string[]): Promise<ContactNames> {
  const keys = [...new Set(messages.flatMap(keysIn))];
  const names = await Promise.all(keys.map(nameOf));
  return new Map(keys.flatMap((key, place) => (names[place] ? [[key, names[place]]] : [])));
}

/** Returns a message with the name before the key of each contact: `contact Astrid Lindqvist (100001) has …`. */
export function withContactNames(message: string, names: ContactNames): Child {
  const parts: Child[] = [];
  let end = 0;
  for (const { 0: key, index } of message.matchAll(keyPattern)) {
    const name = names.get(key);
    if (name === undefined) continue;
    // A name of its own element turns the direction of no other letters around.
    parts.push(message.slice(end, index), h('span', {}, shortened(name)), ` (${key})`);
    end = index + key.length;
  }
  return [...parts, message.slice(end)];
}
