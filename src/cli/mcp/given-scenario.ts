/** Reads the scenario and the policy that a tool is given: a name, a file, a text or an object. */
import * as z from '../../core/validation/deferred-zod.ts';
import type { MergedScenario } from '../../scenario/merge.ts';
import type { ScenarioSpec } from '../../scenario/scenario-schema.ts';

/** Accepts a scenario in each form in which an agent may have it. */
export const scenarioField = z
  .union([z.string(), z.looseObject({})], {
    error: 'must be the name of a built-in scenario, a file, a text in YAML, or an object',
  })
  .describe(
    'Name of a built-in scenario (lost-redeem, lost-bulk-points, receipt-timeout, rate-limit, outage, flaky, server-error, …), path of a .yaml or .json file, its text in YAML, or an object, such as {"rules":[{"match":{"endpoint":"createReceipt"},"fault":{"phase":"after","respond":"none","end":"reset"},"times":1}]}',
  );

export const policyField = z
  .looseObject({})
  .describe(
    'Rules that the client declares beyond the specification, which the verdict then holds it to: {"maxAttempts":4,"minBackoff":"1s","timeout":"5s","storeAndForward":{"after":"30s"},"ignoreFields":["sentAt"]}',
  );

interface Given {
  readonly scenario?: string | object | undefined;
  readonly policy?: object | undefined;
}

/** Returns the scenario, with the policy in it. Throws `InputError` that names every mistake. */
export async function readGivenScenario({ scenario, policy }: Given): Promise<MergedScenario | undefined> {
  if (scenario === undefined && policy === undefined) return undefined;
  const read = scenario === undefined ? emptyScenario : await readScenario(scenario);
  if (policy === undefined) return read;
  const { parsePolicy } = await import('../../scenario/scenario-parser.ts');
  return { ...read, spec: { ...read.spec, policy: { ...read.spec.policy, ...parsePolicy(policy) } } };
}

const emptyScenario: MergedScenario = { files: [], spec: {}, warnings: [] };

/** True for a text that holds a scenario, and is not its name. */
const isScenarioText = (given: string): boolean => /[\n{]|:\s/.test(given);

async function readScenario(given: string | object): Promise<MergedScenario> {
  if (typeof given === 'object') {
    const { parseScenario } = await import('../../scenario/scenario-parser.ts');
    return { ...emptyScenario, spec: parseScenario(given) };
  }
  const { loadScenarios, parseScenarioFile } = await import('../../scenario/load.ts');
  if (!isScenarioText(given)) return loadScenarios([given]);
  // The name stands before each mistake; a file that the text names lies in the working folder.
  const { spec, warnings } = parseScenarioFile({ name: 'scenario', text: given });
  return { ...emptyScenario, spec, warnings };
}

/** Returns the parts of a scenario that make sense to whoever set it. */
export const scenarioTitle = ({ name, rules = [] }: ScenarioSpec): string =>
  `${name ?? 'a scenario without a name'} with ${rules.length} ${rules.length === 1 ? 'rule' : 'rules'}`;
