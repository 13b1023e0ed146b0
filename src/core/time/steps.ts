/** Stands for work that may be left for a while after each of its steps. */
export type Steps<Result = void> = Generator<void, Result>;

/** Takes all steps at once. */
export function finish<Result>(steps: Steps<Result>): Result {
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}
