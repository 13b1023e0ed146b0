/** Scenarios checked as a whole, wherever they were written. */
import { InputError } from '../core/lib/input-error.ts';
import { formatPath } from '../core/validation/unknown-fields.ts';
import { validateAgainst } from '../core/validation/schema-diagnostics.ts';
import type { Diagnostic } from '../core/validation/schema-diagnostics.ts';
import { isObject } from '../core/validation/lenient-parse.ts';
import { policySchema } from './policy-schema.ts';
import type { PolicySpec } from './policy-schema.ts';
import { validateScenarioFields } from './validate.ts';
import { scenarioSchema } from './scenario-schema.ts';
import type { ScenarioSpec } from './scenario-schema.ts';

/** Everything wrong with a scenario, apart from what its files should be. */
export function validateScenario(data: unknown): Diagnostic[] {
  if (isObject(data)) return validateScenarioFields(data);
  return [{ path: [], message: 'must be an object with fields such as name, description and rules' }];
}

/** A policy that was written in code or in the config. Throws `InputError` that names every mistake. */
export function parsePolicy(data: unknown): PolicySpec {
  const wrong = validateAgainst(policySchema, data);
  if (wrong.length === 0) return policySchema.parse(data);
  throw new InputError(
    wrong.map(({ path, message }) => `policy${formatPath(path) && `.${formatPath(path)}`} ${message}`).join('\n'),
  );
}

/** A scenario that was written in code. Throws `InputError` that names every mistake. */
export function parseScenario(data: unknown): ScenarioSpec {
  const wrong = validateScenario(data).map(({ path, message }) => ['scenario', formatPath(path), message]);
  if (wrong.length === 0) return scenarioSchema.parse(data);
  throw new InputError(wrong.map((parts) => parts.filter((part) => part !== '').join(': ')).join('\n'));
}
