interface Interval {
  readonly from: number;
  readonly to: number;
}

/** How many spans have a moment in common, at the most; where one ends, another may begin. */
export function maxConcurrent(spans: readonly Interval[]): number {
  const edges = spans
    .flatMap(({ from, to }) => [
      { at: from, step: 1 },
      { at: to, step: -1 },
    ])
    .toSorted((a, b) => a.at - b.at || a.step - b.step);
  let [now, most] = [0, 0];
  for (const { step } of edges) {
    now += step;
    most = Math.max(most, now);
  }
  return most;
}
