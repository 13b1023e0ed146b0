/** What goes wrong: the scenario, its rules with what has become of them, and one more by a small form. */
import { attempt, button, chip, fill, folded, form, json, make, plural, section, select, textIn } from './elements.ts';
import type { Child } from './elements.ts';
import { faultForm } from './fault-form.ts';
import { showItems, showValue } from './items.ts';
import { callSim, callTenant } from './service.ts';
import type { ActiveRule, ActiveScenario } from './shown.ts';
import type { View } from './view.ts';

interface Shipped {
  readonly name: string;
  readonly title: string;
}

/** The conditions or the fault of a rule as it was written, on one line. */
const written = (value: unknown): string =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.entries(value)
        .map(([name, one]) => `${name} ${typeof one === 'object' ? JSON.stringify(one) : String(one)}`)
        .join(', ')
    : JSON.stringify(value);

function budgetOf({ matched, hits, left }: ActiveRule): string {
  const more = left === null ? 'without an end' : `${left} left`;
  return `fired ${plural(hits, 'time')}, ${more}; ${plural(matched, 'call')} matched`;
}

const ruleItem = (active: ActiveRule): HTMLElement => {
  const { id, origin, rule, notes } = active;
  const { match, fault } = rule;
  return make(
    'li',
    { class: 'card' },
    make('p', {}, make('strong', {}, id), ' ', chip(origin), active.hits > 0 && [' ', chip('fired', 'fault')]),
    make('p', {}, match === undefined ? 'every call' : written(match), ' → ', written(fault)),
    make('p', { class: 'faint' }, budgetOf(active)),
    notes.map((note) => make('p', { class: 'error' }, note)),
    folded('as it was written', make('pre', {}, json(rule))),
    origin === 'added' &&
      button('Remove', () => callTenant('DELETE', `/faults/${encodeURIComponent(id)}`), {
        'aria-label': `Remove ${id}`,
      }),
  );
};

/** Rules about webhooks and the point master, which are not added here. */
function otherRules({ webhooks, master, notes }: Pick<ActiveScenario, 'webhooks' | 'master' | 'notes'>): Child {
  const others = [
    ...webhooks.map((rule) => ['webhooks', rule] as const),
    ...master.map((rule) => ['point master', rule] as const),
  ];
  return [
    notes.map((note) => make('p', { class: 'error' }, note)),
    others.length > 0 &&
      section(
        'Rules about webhooks and the point master',
        others.map(([about, rule]) =>
          folded(`${about}: ${rule.id}, fired ${plural(rule.hits, 'time')}`, make('pre', {}, json(rule))),
        ),
      ),
  ];
}

function scenarioPanel() {
  const shipped = select({ name: 'scenario', 'aria-label': 'Scenario' }, []);
  const head = make('div');
  const load = form(
    { class: 'forms' },
    (fields) => callTenant('PUT', '/scenario', { body: textIn(fields, 'scenario') }),
    shipped,
    make('button', { title: 'One that says how the tenant is set up starts it anew' }, 'Load'),
    button('Clear', () => callTenant('DELETE', '/scenario')),
  );
  return {
    element: make('div', { class: 'panel' }, head, load),
    show: ({ scenario: { name, description, rules } }: ActiveScenario): void =>
      fill(
        head,
        make(
          'p',
          {},
          name === undefined
            ? rules === undefined
              ? 'None is in force.'
              : 'One without a name'
            : make('strong', {}, String(name)),
        ),
        typeof description === 'string' && make('p', { class: 'faint' }, description),
      ),
    offer: async (): Promise<void> => {
      if (shipped.options.length > 0) return;
      const { scenarios } = await callSim<{ scenarios: Shipped[] }>('GET', '/scenarios');
      for (const { name, title } of scenarios)
        shipped.append(make('option', { value: name }, title === name ? name : `${name}: ${title}`));
    },
  };
}

export function faultsView(): View {
  const list = make('ul', { class: 'cards' });
  const others = make('div');
  const scenario = scenarioPanel();
  const { element, offer } = faultForm(() => list.scrollIntoView({ block: 'nearest' }));
  const clear = button('Remove all that were added', () => callTenant('DELETE', '/faults'));
  return {
    name: 'faults',
    title: 'Faults',
    element: make(
      'div',
      { class: 'two' },
      make('div', {}, section('Add a fault', element), section('Scenario', scenario.element)),
      section('Rules, in the order in which they are asked', make('p', { class: 'actions' }, clear), list, others),
    ),
    staleBy: /^(scenario|rule|exchange\.answered|webhook|state|tenant|stream)/,
    refresh: async (about) => {
      const active = await callTenant<ActiveScenario>('GET', '/scenario');
      scenario.show(active);
      showItems(list, active.rules, {
        key: ({ id }) => id,
        look: ruleItem,
        none: 'No rules: every call is served as it should be.',
      });
      const { webhooks, master, notes } = active;
      showValue(others, { webhooks, master, notes }, otherRules);
      // What there is to choose from takes a while the first time, and nobody waits for it.
      void attempt(() => Promise.all([scenario.offer(), offer(about)]));
    },
  };
}
