/** Scenarios checked as a whole, wherever they were written. */
import { InputError } from '../core/errors.ts';
import { pathText } from '../core/fields.ts';
import { schemaFindings } from './findings.ts';
import type { Finding } from './findings.ts';
import { isObject } from './legible.ts';
import { policySchema } from './policy-schema.ts';
import type { WrittenPolicy } from './policy-schema.ts';
import { scenarioFindings } from './reading.ts';
import { scenarioSchema } from './scenario-schema.ts';
import type { WrittenScenario } from './scenario-schema.ts';

/** Everything wrong with a scenario, apart from what its files should be. */
export function findingsIn(data: unknown): Finding[] {
  if (isObject(data)) return scenarioFindings(data);
  return [{ path: [], message: 'must be an object with fields such as name, description and rules' }];
}

/** A policy that was written in code or in the config. Throws `InputError` that names every mistake. */
export function checkedPolicy(data: unknown): WrittenPolicy {
  const wrong = schemaFindings(policySchema, data);
  if (wrong.length === 0) return policySchema.parse(data);
  throw new InputError(
    wrong.map(({ path, message }) => `policy${pathText(path) && `.${pathText(path)}`} ${message}`).join('\n'),
  );
}

/** A scenario that was written in code. Throws `InputError` that names every mistake. */
export function checkedScenario(data: unknown): WrittenScenario {
  const wrong = findingsIn(data).map(({ path, message }) => ['scenario', pathText(path), message]);
  if (wrong.length === 0) return scenarioSchema.parse(data);
  throw new InputError(wrong.map((parts) => parts.filter((part) => part !== '').join(': ')).join('\n'));
}
