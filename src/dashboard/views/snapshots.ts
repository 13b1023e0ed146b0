/** Resets the tenant, and takes, restores and deletes snapshots. */
import type { ResetScope } from '../../admin/reset.ts';
import { button, field, form, h, section, fieldText } from '../ui/elements.ts';
import { moment } from '../ui/moments.ts';
import { confirmDialog } from '../ui/confirm-dialog.ts';
import { renderItems } from '../ui/items.ts';
import { requestTenant } from '../api/client.ts';
import { selectedTenant } from '../api/selected-tenant.ts';
import type { View } from '../ui/view.ts';

interface SnapshotJson {
  readonly name: string;
  readonly takenAt: string;
}

/** Says what each scope of a reset holds. */
const resetScopes: Readonly<Record<ResetScope, string>> = {
  state: 'contacts, points, receipts and all other data',
  journal: 'requests so far',
  faults: 'rules that were added, and the counts of all rules',
  clock: 'the clock',
  queue: 'queued jobs',
  webhooks: 'webhooks so far',
};

async function reset(fields: FormData): Promise<void> {
  const chosen = fields.getAll('scope').map(String);
  if (chosen.length === 0) throw new Error('Choose at least one part to reset.');
  const question = `Reset ${chosen.join(', ')} of the tenant "${selectedTenant()}"? What was done since the start is gone.`;
  if (await confirmDialog(question, 'Reset')) await requestTenant('POST', '/reset', { body: { scopes: chosen } });
}

function resetForm(): HTMLElement {
  const boxes = Object.entries(resetScopes).map(([scope, text]) =>
    h(
      'label',
      { class: 'box' },
      h('input', { type: 'checkbox', name: 'scope', value: scope, checked: '' }),
      ` ${scope}: ${text}`,
    ),
  );
  return form(
    { class: 'panel', 'aria-label': 'Reset' },
    reset,
    boxes,
    h('p', { class: 'actions' }, h('button', { class: 'danger' }, 'Reset …')),
  );
}

const path = (name: string): string => `/snapshots/${encodeURIComponent(name)}`;

export function snapshotsView(): View {
  const list = h('ul', { class: 'cards' });
  const refresh = async (): Promise<void> => {
    const { snapshots } = await requestTenant<{ snapshots: SnapshotJson[] }>('GET', '/snapshots');
    renderItems(list, snapshots, { key: ({ name }) => name, render: snapshotItem, none: 'No snapshots yet.' });
  };
  const snapshotItem = ({ name, takenAt }: SnapshotJson): HTMLElement =>
    h(
      'li',
      { class: 'card' },
      h('p', {}, h('strong', {}, name), ' taken ', moment(takenAt)),
      h(
        'p',
        { class: 'actions' },
        button('Restore', () => requestTenant('POST', `${path(name)}/restore`), { 'aria-label': `Restore ${name}` }),
        button('Delete', () => requestTenant('DELETE', path(name)).then(refresh), { 'aria-label': `Delete ${name}` }),
      ),
    );
  const name = h('input', {
    name: 'name',
    required: '',
    placeholder: 'before-checkout',
    pattern: '[A-Za-z0-9][A-Za-z0-9._\\-]*',
  });
  const take = form(
    { class: 'forms' },
    (fields) => requestTenant('POST', path(fieldText(fields, 'name'))).then(refresh),
    field('Name', name),
    h('button', { class: 'first' }, 'Take a snapshot'),
  );
  return {
    name: 'state',
    title: 'Reset and snapshots',
    element: h('div', { class: 'two' }, section('Reset', resetForm()), section('Snapshots', take, list)),
    refreshOn: /^(state|snapshot|tenant|stream)/,
    refresh,
  };
}
