/** Shows the scenario and its rules with their counts, and adds a rule by a form. */
import {
  reportErrors,
  button,
  chip,
  replaceContent,
  collapsible,
  form,
  json,
  h,
  pluralize,
  section,
  select,
  fieldText,
} from '../ui/elements.ts';
import type { Child } from '../ui/elements.ts';
import { faultForm, saveRule } from './fault-form.ts';
import { renderItems, renderValue } from '../ui/items.ts';
import { requestSim, requestTenant } from '../api/client.ts';
import type { ActiveRuleJson, ActiveScenarioJson } from '../api/api-types.ts';
import type { View } from '../ui/view.ts';

interface BuiltInScenario {
  readonly name: string;
  readonly title: string;
}

/** Formats the conditions or the fault of a rule on one line. */
const written = (value: unknown): string =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.entries(value)
        .map(([name, one]) => `${name} ${typeof one === 'object' ? JSON.stringify(one) : String(one)}`)
        .join(', ')
    : JSON.stringify(value);

function countsOf({ matched, fired, remaining }: ActiveRuleJson): string {
  const more = remaining === null ? 'unlimited' : `${remaining} remaining`;
  return `fired ${pluralize(fired, 'time')}, ${more}; ${pluralize(matched, 'request')} matched`;
}

const ruleItem = (active: ActiveRuleJson): HTMLElement => {
  const { id, origin, rule, notes } = active;
  const { match, fault } = rule;
  const result = h('div', { class: 'action-result', role: 'status' });
  return h(
    'li',
    { class: 'card' },
    h('p', {}, h('strong', {}, id), ' ', chip(origin), active.fired > 0 && [' ', chip('fired', 'fault')]),
    h('p', {}, match === undefined ? 'every request' : written(match), ' → ', written(fault)),
    h('p', { class: 'faint' }, countsOf(active)),
    notes.map((note) => h('p', { class: 'error' }, note)),
    collapsible('as written', h('pre', {}, json(rule))),
    h(
      'p',
      { class: 'actions' },
      button('Save as scenario', async () => replaceContent(result, await saveRule(id)), {
        'aria-label': `Save as scenario: ${id}`,
      }),
      origin === 'added' &&
        button('Delete', () => requestTenant('DELETE', `/faults/${encodeURIComponent(id)}`), {
          'aria-label': `Delete ${id}`,
        }),
    ),
    result,
  );
};

/** Lists rules about webhooks and the point master, which can't be added here. */
function otherRules({
  webhooks,
  pointMaster,
  notes,
}: Pick<ActiveScenarioJson, 'webhooks' | 'pointMaster' | 'notes'>): Child {
  const others = [
    ...webhooks.map((rule) => ['webhooks', rule] as const),
    ...pointMaster.map((rule) => ['point master', rule] as const),
  ];
  return [
    notes.map((note) => h('p', { class: 'error' }, note)),
    others.length > 0 &&
      section(
        'Rules about webhooks and the point master',
        others.map(([about, rule]) =>
          collapsible(`${about}: ${rule.id}, fired ${pluralize(rule.fired, 'time')}`, h('pre', {}, json(rule))),
        ),
      ),
  ];
}

function scenarioPanel() {
  const shipped = select({ name: 'scenario', 'aria-label': 'Scenario' }, []);
  const head = h('div', {}, h('p', { class: 'faint' }, 'Reading the scenario …'));
  const load = form(
    { class: 'forms' },
    (fields) => requestTenant('PUT', '/scenario', { body: fieldText(fields, 'scenario') }),
    shipped,
    h('button', { title: 'A scenario that says how the tenant is set up recreates it' }, 'Load'),
    button('Clear', () => requestTenant('DELETE', '/scenario')),
  );
  return {
    element: h('div', { class: 'panel' }, head, load),
    show: ({ scenario: { name, description, rules } }: ActiveScenarioJson): void =>
      replaceContent(
        head,
        h(
          'p',
          {},
          name === undefined
            ? rules === undefined
              ? 'No scenario is active.'
              : 'A scenario without a name'
            : h('strong', {}, String(name)),
        ),
        typeof description === 'string' && h('p', { class: 'faint' }, description),
      ),
    offer: async (): Promise<void> => {
      if (shipped.options.length > 0) return;
      const { scenarios } = await requestSim<{ scenarios: BuiltInScenario[] }>('GET', '/scenarios');
      for (const { name, title } of scenarios)
        shipped.append(h('option', { value: name }, title === name ? name : `${name}: ${title}`));
    },
  };
}

export function faultsView(): View {
  const list = h('ul', { class: 'cards' });
  const others = h('div');
  const scenario = scenarioPanel();
  const { element, propose, offer } = faultForm();
  const clear = button('Delete all added rules', () => requestTenant('DELETE', '/faults'));
  return {
    name: 'faults',
    title: 'Faults',
    element: h(
      'div',
      { class: 'two' },
      h('div', {}, section('Make requests fail', element), section('Scenario', scenario.element)),
      section('Rules, in the order in which they are tried', h('p', { class: 'actions' }, clear), list, others),
    ),
    refreshOn: /^(scenario|rule|request\.completed|webhook|state|snapshot|tenant|stream)/,
    refresh: async (about) => {
      propose(about);
      const active = await requestTenant<ActiveScenarioJson>('GET', '/scenario');
      scenario.show(active);
      renderItems(list, active.rules, {
        key: ({ id }) => id,
        render: ruleItem,
        none: 'No rules: every request is served normally.',
      });
      const { webhooks, pointMaster, notes } = active;
      renderValue(others, { webhooks, pointMaster, notes }, otherRules);
      // The choices take a while to fetch the first time, and nothing waits for them.
      void reportErrors(() => Promise.all([scenario.offer(), offer()]));
    },
  };
}
