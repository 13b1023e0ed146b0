import { h } from './elements.ts';

/** Asks for confirmation of something that can't be undone. */
export function confirmDialog(question: string, yes: string): Promise<boolean> {
  const dialog = h(
    'dialog',
    { 'aria-label': yes },
    h(
      'form',
      { method: 'dialog' },
      h('p', {}, question),
      h(
        'p',
        { class: 'actions' },
        h('button', { value: '', autofocus: '' }, 'Cancel'),
        h('button', { value: 'yes', class: 'danger' }, yes),
      ),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(dialog.returnValue === 'yes');
    });
  });
}
