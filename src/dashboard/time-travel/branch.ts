/** Branches a tenant from a request of the selected one. */
import { field, form, h, fieldText } from '../ui/elements.ts';
import { requestSim } from '../api/client.ts';
import { selectedTenant } from '../api/selected-tenant.ts';
import type { TenantJson } from '../api/api-types.ts';

/** Says on which side of a request a branch starts. */
type Side = 'before' | 'after';

/** Creates a tenant with the state of a moment. */
export const branchTenant = (name: string, request: string, side: Side): Promise<TenantJson> =>
  requestSim('POST', '/tenants', { body: { name, branch: { tenant: selectedTenant(), request, side } } });

/** Returns a name that says where a branch comes from. */
const branchName = (request: string, side: Side): string =>
  // A tenant's name has at most 64 characters.
  `${side === 'before' ? 'before' : 'at'}-${request}`.slice(0, 58);

/** Creates a tenant that starts right before a request, with a name that is free. */
export async function branchBefore(request: string): Promise<TenantJson> {
  const base = branchName(request, 'before');
  const { tenants } = await requestSim<{ tenants: TenantJson[] }>('GET', '/tenants?limit=1000');
  const taken = new Set(tenants.map(({ name }) => name));
  let name = base;
  for (let n = 2; taken.has(name); n++) name = `${base}-${n}`;
  return branchTenant(name, request, 'before');
}

/** Asks for a name, and resolves to it; undefined if that was cancelled. */
export function askForBranch(request: string): Promise<string | undefined> {
  const name = h('input', { name: 'name', required: '', pattern: '[A-Za-z0-9][A-Za-z0-9._\\-]{0,63}' });
  name.value = branchName(request, 'after');
  const dialog = h('dialog', { 'aria-label': 'Branch a tenant' });
  return new Promise((resolve) => {
    dialog.append(
      form(
        {},
        (fields) => {
          resolve(fieldText(fields, 'name'));
          dialog.close();
        },
        h('h2', {}, 'Branch a tenant'),
        h('p', {}, `It gets the state, the clock and the queue that "${selectedTenant()}" had right after ${request}.`),
        field('Name', name),
        h(
          'p',
          { class: 'actions' },
          (() => {
            const cancel = h('button', { type: 'button' }, 'Cancel');
            cancel.addEventListener('click', () => dialog.close());
            return cancel;
          })(),
          h('button', { class: 'first' }, 'Branch'),
        ),
      ),
    );
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(undefined);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}
