import { h } from './elements.ts';

let asking: Promise<string> | undefined;

/** Asks for the admin key, again after a wrong one; calls meanwhile wait for the same dialog. */
export function askForAdminKey(before: string | null): Promise<string> {
  asking ??= ask(before).finally(() => {
    asking = undefined;
  });
  return asking;
}

function ask(before: string | null): Promise<string> {
  const input = h('input', { type: 'password', name: 'key', autocomplete: 'off', required: '' });
  const dialog = h(
    'dialog',
    { 'aria-label': 'Admin key' },
    h(
      'form',
      { method: 'dialog' },
      h('h2', {}, 'Admin key'),
      h(
        'p',
        {},
        before !== null && 'That was not the key. ',
        'This simulator was started with --admin-key; it is kept until this tab is closed.',
      ),
      h('label', { class: 'field' }, h('span', {}, 'Key'), input),
      h('p', { class: 'actions' }, h('button', { class: 'first' }, 'Go on')),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    // Without a key there is nothing to see.
    dialog.addEventListener('cancel', (event) => event.preventDefault());
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(input.value);
    });
  });
}
