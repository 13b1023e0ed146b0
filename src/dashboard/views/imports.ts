/** Lists the batches that imported receipts from files, and what is to come. */
import { chip, collapsible, h, pluralize, replaceContent, section } from '../ui/elements.ts';
import type { Child } from '../ui/elements.ts';
import { moment } from '../ui/moments.ts';
import { formatDateTime } from '../ui/timestamps.ts';
import { renderItems } from '../ui/items.ts';
import { requestTenant } from '../api/client.ts';
import type { ImportBatchJson, ImportListJson } from '../api/api-types.ts';
import type { View } from '../ui/view.ts';

type ImportedFileJson = ImportBatchJson['files'][number];
type NoteJson = ImportedFileJson['notes'][number];

/** Limits the batches that are shown. */
const most = 50;

const placeOf = ({ line, column }: NoteJson): string =>
  line === null ? '' : `line ${line}${column === null ? '' : `, column ${column}`}: `;

const noteItem = (note: NoteJson): HTMLElement =>
  h(
    'li',
    {},
    `${placeOf(note)}${note.message}`,
    note.uniqueReceiptId !== null && ` (receipt ${note.uniqueReceiptId})`,
    ' ',
    chip(note.code),
  );

function countsOf({ receipts, imported, repeated, unknownContact, refused }: ImportedFileJson): string {
  const counts: readonly (readonly [count: number, what: string])[] = [
    [repeated, 'there already'],
    [unknownContact, 'of unknown contacts'],
    [refused, 'refused'],
  ];
  const others = counts.filter(([count]) => count > 0).map(([count, what]) => `, ${count} ${what}`);
  return `${imported} of ${pluralize(receipts, 'receipt')} imported${others.join('')}`;
}

const fileItem = (file: ImportedFileJson): HTMLElement =>
  h(
    'li',
    {},
    h('p', {}, h('strong', {}, file.name), ' ', chip(file.status, file.status)),
    file.status === 'imported' && h('p', {}, countsOf(file)),
    file.reason !== null && h('p', { class: 'error' }, `${placeOf(file.reason)}${file.reason.message}`),
    file.missing.length > 0 && h('p', {}, `${pluralize(file.missing.length, 'receipt')} did not come in`),
    file.keptAs !== null && h('p', { class: 'faint' }, `kept as ${file.keptAs}`),
    file.notes.length > 0 &&
      collapsible(
        pluralize(file.notes.length + file.notesOmitted, 'note'),
        h('ul', {}, file.notes.map(noteItem)),
        file.notesOmitted > 0 && h('p', { class: 'faint' }, `and ${file.notesOmitted} more`),
      ),
  );

const batchItem = ({ batch, at, error, files }: ImportBatchJson): HTMLElement =>
  h(
    'li',
    { class: 'card' },
    h('p', {}, h('strong', {}, `Batch ${batch}`), ` of ${formatDateTime(at)}, `, moment(at)),
    error !== null && h('p', { class: 'error' }, error),
    h('ul', { class: 'files' }, files.map(fileItem)),
  );

function describeNext({ folder, nextBatch, everyMs, count }: ImportListJson): Child {
  if (folder === null || nextBatch === null) {
    return 'No folder is watched. Start the simulator with --import-folder <folder>.';
  }
  const shown = count > most ? ` The last ${most} of ${count} batches are shown.` : '';
  const later = `, at ${formatDateTime(nextBatch)}, then every ${everyMs / 60_000} minutes. Folder: ${folder}.${shown}`;
  return ['The next batch is ', moment(nextBatch), later];
}

const readImports = (offset: number): Promise<ImportListJson> =>
  requestTenant('GET', '/imports', { query: { offset: String(offset), limit: String(most) } });

export function importsView(): View {
  const next = h('p', { role: 'status' });
  const waiting = h('ul', { class: 'files' });
  const waitingSection = section('Left alone by the last batch', waiting);
  const list = h('ul', { class: 'cards' });
  return {
    name: 'imports',
    title: 'Imports',
    element: h('div', {}, next, waitingSection, section('Batches', list)),
    refreshOn: /^(import|clock|state|snapshot|tenant|stream)/,
    refresh: async () => {
      const first = await readImports(0);
      const { items } = first.count > most ? await readImports(first.count - most) : first;
      replaceContent(next, describeNext(first));
      waitingSection.hidden = first.waiting.length === 0;
      renderItems(waiting, first.waiting, {
        key: ({ name }) => name,
        render: ({ name, reason }) => h('li', {}, h('strong', {}, name), ` ${reason}`),
      });
      renderItems(list, items.toReversed(), {
        key: ({ batch }) => String(batch),
        render: batchItem,
        none: 'No batch has found a file yet.',
      });
    },
  };
}
