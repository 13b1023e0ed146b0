/** Adds, lists and removes faults of a running simulator, and replaces its scenario. */
import * as z from '../../../core/validation/deferred-zod.ts';
import { faultKinds } from '../../../faults/fault-kinds.ts';
import { policyField, readGivenScenario, scenarioField, scenarioTitle } from '../given-scenario.ts';
import { anyObject, defineTool, targetFields } from '../tool.ts';

const ruleSchema = z.looseObject({
  id: z.string(),
  origin: z.string(),
  matched: z.int(),
  fired: z.int(),
  remaining: z.int().nullable(),
  rule: anyObject,
  notes: z.array(z.string()).optional(),
});

type Rule = z.infer<typeof ruleSchema>;

const describeRule = ({ id, origin, matched, fired, remaining, rule, notes = [] }: Rule): string[] => [
  `${id} (${origin}): matched ${matched}, fired ${fired}${remaining === null ? '' : `, ${remaining} remaining`}: ${JSON.stringify(rule)}`,
  ...notes.map((note) => `  note: ${note}`),
];

const addFault = defineTool({
  name: 'add_fault',
  title: 'Add a fault',
  description: `Adds a rule that injects a fault, before all others. \`match\` selects requests by endpoint (such as createReceipt), method, path, query, header, body or contact; \`times\`, \`skip\` and \`nth\` say when it fires. \`fault\` is a status such as 503, a list of faults in turn, or an object: \`phase\` "before" (the service does nothing) or "after" (it has done its work), \`respond\` (${faultKinds.map(({ name }) => name).join(', ')}), \`end\` (normal, close, reset, hang), \`delay\` such as "2s". The resource loyalty-sim://docs/faults.md has every field.`,
  input: z.strictObject({
    ...targetFields,
    rule: z
      .looseObject({})
      .describe(
        'The rule, such as {"match":{"endpoint":"createReceipt"},"fault":{"phase":"after","respond":"none","end":"reset"},"times":1} or {"match":{"path":"/api/v3/contacts/{id}"},"fault":[500,500]}',
      ),
  }),
  effect: 'add',
  run: async ({ rule, ...target }, { simulators }) => {
    const call = simulators.callerOf(target);
    const added = await call('/faults', {
      method: 'POST',
      body: rule,
      responseSchema: ruleSchema,
      fieldLabel: (field) => `rule.${field}`,
    });
    return { lines: [`added ${added.id}`, ...describeRule(added).slice(1)], data: { rule: added } };
  },
});

const listFaults = defineTool({
  name: 'list_faults',
  title: 'List the faults',
  description: 'Lists the rules that inject faults, in the order in which they are tried, with how often each fired.',
  input: z.strictObject(targetFields),
  effect: 'read',
  run: async (target, { simulators }) => {
    const schema = z.looseObject({ rules: z.array(ruleSchema) });
    const { rules } = await simulators.callerOf(target)('/faults', { responseSchema: schema });
    const lines = rules.length === 0 ? ['no rules; add_fault adds one'] : rules.flatMap(describeRule);
    return { lines, data: { rules } };
  },
});

const removeFaults = defineTool({
  name: 'remove_faults',
  title: 'Remove faults',
  description:
    'Removes one rule that was added at run time, or all of them, and releases requests that a fault holds up. Rules of the scenario stay: set_scenario replaces those.',
  input: z.strictObject({
    ...targetFields,
    id: z.string().optional().describe('Id of the rule (default: all that were added at run time)'),
  }),
  effect: 'replace',
  run: async ({ id, ...target }, { simulators }) => {
    const path = id === undefined ? '/faults' : `/faults/${encodeURIComponent(id)}`;
    const schema = z.looseObject({ deleted: z.union([z.string(), z.int()]) });
    const { deleted } = await simulators.callerOf(target)(path, { method: 'DELETE', responseSchema: schema });
    return {
      lines: [
        id === undefined ? `${deleted} ${deleted === 1 ? 'rule is' : 'rules are'} removed` : `${deleted} is removed`,
      ],
      data: { deleted },
    };
  },
});

const setScenario = defineTool({
  name: 'set_scenario',
  title: 'Set the scenario',
  description:
    'Replaces the scenario of a running simulator (its rules, expectations and policy) and sets its counters to zero; without a scenario and a policy it clears it. A scenario that says how the tenant is set up (mode, now, fixtures) recreates the tenant from its fixtures.',
  input: z.strictObject({
    ...targetFields,
    scenario: scenarioField.optional(),
    policy: policyField.optional(),
  }),
  effect: 'replace',
  run: async ({ scenario, policy, ...target }, { simulators }) => {
    const given = await readGivenScenario({ scenario, policy });
    const responseSchema = z.looseObject({
      scenario: anyObject,
      rules: z.array(ruleSchema),
      notes: z.array(z.string()),
    });
    const call = simulators.callerOf(target);
    // What runs a script is not part of what is served.
    const { steps: _steps, $schema: _schema, ...spec } = given?.spec ?? {};
    const set = await (given
      ? call('/scenario', { method: 'PUT', body: spec, responseSchema, fieldLabel: (field) => `scenario.${field}` })
      : call('/scenario', { method: 'DELETE', responseSchema }));
    const lines = given
      ? [`now follows ${scenarioTitle(spec)}`, ...set.rules.flatMap(describeRule)]
      : ['the scenario is cleared'];
    return { lines: [...lines, ...set.notes.map((note) => `note: ${note}`)], data: set };
  },
});

export const faultTools = [addFault, listFaults, removeFaults, setScenario];
