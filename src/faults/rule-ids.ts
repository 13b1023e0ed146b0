interface OptionalId {
  readonly id?: string | undefined;
}

/** Rules with their own ids, or with one by their place that no other has: `rule-3`. */
export function assignIds<Rule extends OptionalId>(rules: readonly Rule[], prefix: string): [id: string, rule: Rule][] {
  const taken = new Set(rules.map(({ id }) => id));
  let last = 0;
  return rules.map((rule, i) => {
    if (rule.id !== undefined) return [rule.id, rule];
    last = Math.max(last, i) + 1;
    while (taken.has(`${prefix}-${last}`)) last++;
    return [`${prefix}-${last}`, rule];
  });
}
