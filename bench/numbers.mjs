export const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

/** Returns the median time of one call, in microseconds, over so many. */
export async function timeOf(call, times = 200) {
  const taken = [];
  for (let n = 0; n < times; n++) {
    const start = performance.now();
    await call(n);
    taken.push((performance.now() - start) * 1000);
  }
  return median(taken);
}

export const round = (number) => (number >= 100 ? Math.round(number) : Number(number.toPrecision(2)));

/** Returns the lowest and the highest of some numbers as text. */
export const spread = (numbers) => `${round(Math.min(...numbers))} to ${round(Math.max(...numbers))}`;
