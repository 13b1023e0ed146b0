import { make } from './elements.ts';

/** Asks a person before something that can't be taken back. */
export function confirmed(question: string, yes: string): Promise<boolean> {
  const dialog = make(
    'dialog',
    { 'aria-label': yes },
    make(
      'form',
      { method: 'dialog' },
      make('p', {}, question),
      make(
        'p',
        { class: 'actions' },
        make('button', { value: '', autofocus: '' }, 'Cancel'),
        make('button', { value: 'yes', class: 'danger' }, yes),
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
