/** Holds so many results of the last calls. */
const kept = 4;

/** Does some work only for a key that isn't one of the last few: a call meets the same ones over and over. */
export function memoizeRecent<Key, Value>(work: (key: Key) => Value): (key: Key) => Value {
  const [keys, values]: [Key[], Value[]] = [[], []];
  let place = 0;
  return function recall(key) {
    const known = keys.indexOf(key);
    if (known >= 0) return values[known] as Value;
    const value = work(key);
    keys[place] = key;
    values[place] = value;
    place = (place + 1) % kept;
    return value;
  };
}
