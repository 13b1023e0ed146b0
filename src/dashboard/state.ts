/** Ways back: to the start, or to a snapshot. */
import { scopes } from '../core/scopes.ts';
import { button, field, form, make, momentOf, section, textIn } from './elements.ts';
import { confirmed } from './confirm.ts';
import { showItems } from './items.ts';
import { callTenant, tenantNow } from './service.ts';
import type { View } from './view.ts';

interface Snapshot {
  readonly name: string;
  readonly takenAt: string;
}

const words: Readonly<Record<(typeof scopes)[number], string>> = {
  state: 'contacts, points, receipts and all other data',
  journal: 'calls so far',
  faults: 'rules that were added, and what all have counted',
  clock: 'the clock',
  queue: 'work that waits',
  webhooks: 'webhooks so far',
};

async function reset(fields: FormData): Promise<void> {
  const chosen = fields.getAll('scope').map(String);
  if (chosen.length === 0) throw new Error('Choose at least one part to reset.');
  const question = `Reset ${chosen.join(', ')} of the tenant "${tenantNow()}"? What was done since the start is gone.`;
  if (await confirmed(question, 'Reset')) await callTenant('POST', '/reset', { body: { scopes: chosen } });
}

function resetForm(): HTMLElement {
  const boxes = scopes.map((scope) =>
    make(
      'label',
      { class: 'box' },
      make('input', { type: 'checkbox', name: 'scope', value: scope, checked: '' }),
      ` ${scope}: ${words[scope]}`,
    ),
  );
  return form(
    { class: 'panel', 'aria-label': 'Reset' },
    reset,
    boxes,
    make('p', { class: 'actions' }, make('button', { class: 'danger' }, 'Reset …')),
  );
}

const path = (name: string): string => `/snapshots/${encodeURIComponent(name)}`;

export function stateView(): View {
  const list = make('ul', { class: 'cards' });
  const refresh = async (): Promise<void> => {
    const { snapshots } = await callTenant<{ snapshots: Snapshot[] }>('GET', '/snapshots');
    showItems(list, snapshots, { key: ({ name }) => name, look: snapshotItem, none: 'No snapshots yet.' });
  };
  const snapshotItem = ({ name, takenAt }: Snapshot): HTMLElement =>
    make(
      'li',
      { class: 'card' },
      make('p', {}, make('strong', {}, name), ` taken at ${momentOf(takenAt)}`),
      make(
        'p',
        { class: 'actions' },
        button('Restore', () => callTenant('POST', `${path(name)}/restore`), { 'aria-label': `Restore ${name}` }),
        button('Forget', () => callTenant('DELETE', path(name)).then(refresh), { 'aria-label': `Forget ${name}` }),
      ),
    );
  const name = make('input', {
    name: 'name',
    required: '',
    placeholder: 'before-checkout',
    pattern: '[A-Za-z0-9][A-Za-z0-9._\\-]*',
  });
  const take = form(
    { class: 'forms' },
    (fields) => callTenant('POST', path(textIn(fields, 'name'))).then(refresh),
    field('Name', name),
    make('button', { class: 'first' }, 'Take a snapshot'),
  );
  return {
    name: 'state',
    title: 'Reset and snapshots',
    element: make('div', { class: 'two' }, section('Reset', resetForm()), section('Snapshots', take, list)),
    staleBy: /^(state|tenant|stream)/,
    refresh,
  };
}
