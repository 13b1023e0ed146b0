import { parseScenario } from './scenario-parser.ts';
import type { ScenarioInput } from './scenario-schema.ts';

/**
 * Validates a scenario where it is written in code. Throws `InputError` that names every mistake:
 * `defineScenario({ rules: [{ match: { endpoint: 'createReceipt' }, fault: ['504', '504'] }] })`.
 */
export function defineScenario(scenario: ScenarioInput): ScenarioInput {
  parseScenario(scenario);
  return scenario;
}
