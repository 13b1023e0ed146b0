import { parseScenario } from './scenario-parser.ts';
import type { ScenarioInput } from './scenario-schema.ts';

/**
 * A scenario written in code, checked where it is written. Throws `InputError` that names every mistake:
 * `defineScenario({ rules: [{ match: { endpoint: 'createReceipt' }, fault: ['504', '504'] }] })`.
 */
export function defineScenario(scenario: ScenarioInput): ScenarioInput {
  parseScenario(scenario);
  return scenario;
}
