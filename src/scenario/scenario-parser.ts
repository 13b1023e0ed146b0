/** Parses scenarios and policies that were written in code. */
import { diagnosticsError, errorAt, under } from '../core/validation/diagnostic.ts';
import { validateAgainst } from '../core/validation/schema-diagnostics.ts';
import type { Diagnostic } from '../core/validation/diagnostic.ts';
import type { Steps } from '../core/time/steps.ts';
import { isObject } from '../core/validation/lenient-parse.ts';
import { policySchema } from './policy-schema.ts';
import type { PolicySpec } from './policy-schema.ts';
import { validateScenarioFields, validateScenarioInTurns } from './validate.ts';
import { scenarioSchema } from './scenario-schema.ts';
import type { ScenarioSpec } from './scenario-schema.ts';

/** Returns everything wrong with a scenario, apart from the files that it names. */
export function validateScenario(data: unknown): Diagnostic[] {
  if (isObject(data)) return validateScenarioFields(data);
  return [errorAt([], 'must be an object with fields such as name, description and rules')];
}

/** Does the same for a scenario that nobody else holds, while others have their turn. */
export function* validateScenarioInSteps(data: unknown): Steps<Diagnostic[]> {
  return isObject(data) ? yield* validateScenarioInTurns(data) : validateScenario(data);
}

/** Parses a policy that was written in code or in the config. Throws `InputError` that names every mistake. */
export function parsePolicy(data: unknown): PolicySpec {
  const wrong = validateAgainst(policySchema, data);
  if (wrong.length === 0) return policySchema.parse(data);
  throw diagnosticsError(wrong.map(under('policy')));
}

/** Parses a scenario that was written in code. Throws `InputError` that names every mistake. */
export function parseScenario(data: unknown): ScenarioSpec {
  const wrong = validateScenario(data);
  if (wrong.length === 0) return scenarioSchema.parse(data);
  throw diagnosticsError(wrong.map((one) => ({ ...one, file: 'scenario' })));
}
