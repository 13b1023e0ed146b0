import { make } from './elements.ts';

let asking: Promise<string> | undefined;

/** Asks a person for the admin key, in place of one that was wrong; whoever needs it meanwhile waits for the same answer. */
export function askForKey(before: string | null): Promise<string> {
  asking ??= ask(before).finally(() => {
    asking = undefined;
  });
  return asking;
}

function ask(before: string | null): Promise<string> {
  const input = make('input', { type: 'password', name: 'key', autocomplete: 'off', required: '' });
  const dialog = make(
    'dialog',
    { 'aria-label': 'Admin key' },
    make(
      'form',
      { method: 'dialog' },
      make('h2', {}, 'Admin key'),
      make(
        'p',
        {},
        before !== null && 'That was not the key. ',
        'This simulator was started with --admin-key; it is kept until this tab is closed.',
      ),
      make('label', { class: 'field' }, make('span', {}, 'Key'), input),
      make('p', { class: 'actions' }, make('button', { class: 'first' }, 'Go on')),
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
