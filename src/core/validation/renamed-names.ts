/** The public names that other tools and older files may still use, each with the name that it has here. */
const renamedNames: Readonly<Record<string, string>> = {
  // Fields of a fault.
  pieces: 'chunks',
  pause: 'interval',
  rotatedKey: 'rotated-key',
  // Faults of the point master.
  'lost-answer': 'lost-response',
};

/** Returns `; it is called "chunks" now` for a renamed word whose new name is one of those known, or an empty text. */
export function renamedHint(name: string, known: Iterable<string>): string {
  const renamed = Object.hasOwn(renamedNames, name) ? renamedNames[name] : undefined;
  return renamed !== undefined && new Set(known).has(renamed) ? `; it is called "${renamed}" now` : '';
}
