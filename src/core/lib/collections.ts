/** Returns the first position for which `passed` holds, in a list where it holds for all later ones too. */
export function lowerBound<T>(list: readonly T[], passed: (item: T) => boolean): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (passed(list[middle] as T)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Adds many items to a list: `push(...items)` overflows the stack from some 100,000 on. */
export function pushAll<T>(list: T[], items: Iterable<T>): void {
  for (const item of items) list.push(item);
}

/** Returns the largest number of a list, -Infinity if it is empty: `Math.max(...list)` overflows the stack likewise. */
export const maxOf = <T>(list: readonly T[], numberOf: (item: T) => number): number =>
  list.reduce((most, item) => Math.max(most, numberOf(item)), -Infinity);

/** Adds an item to the list of its key. */
export function appendTo<K, T>(lists: Map<K, T[]>, key: K, item: T): void {
  const list = lists.get(key);
  if (list) list.push(item);
  else lists.set(key, [item]);
}
