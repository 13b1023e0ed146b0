/** Compares how a request ended with how it ends in a branch, with another fault and once more. */
import { h, requestLink } from '../ui/elements.ts';
import type { Child } from '../ui/elements.ts';
import type { ExchangeLineJson } from '../api/api-types.ts';

export interface Outcome {
  readonly title: string;
  readonly line: ExchangeLineJson;
  /** Links to the request where it is. */
  readonly href?: string;
}

const endings: Readonly<Record<string, string>> = {
  close: 'the connection was closed',
  reset: 'the connection was reset',
  hang: 'the connection stayed open and silent',
  'client-aborted': 'no response in time',
};

/** Says what the client got. */
export function received({ status, end }: ExchangeLineJson): string {
  const broken = endings[end ?? 'hang'];
  if (status === null) return `no response: ${broken ?? 'none came'}`;
  return broken === undefined ? `status ${status}` : `status ${status}, then ${broken}`;
}

function did({ responseStatus, effects }: ExchangeLineJson): string {
  if (responseStatus === null) return 'did nothing';
  const changed = effects === 0 ? 'nothing' : effects === 1 ? '1 row' : `${effects} rows`;
  return `responded ${responseStatus}, changed ${changed}`;
}

const row = (title: string, cells: readonly Child[]): HTMLElement =>
  h(
    'tr',
    {},
    h('th', { scope: 'row' }, title),
    cells.map((cell) => h('td', {}, cell)),
  );

/** Shows outcomes side by side. */
export const outcomeTable = (outcomes: readonly Outcome[]): HTMLElement =>
  h(
    'div',
    { class: 'table' },
    h(
      'table',
      { class: 'outcomes' },
      h(
        'thead',
        {},
        h(
          'tr',
          {},
          h('td'),
          outcomes.map(({ title }) => h('th', { scope: 'col' }, title)),
        ),
      ),
      h(
        'tbody',
        {},
        row(
          'The client got',
          outcomes.map(({ line }) => received(line)),
        ),
        row(
          'The service',
          outcomes.map(({ line }) => did(line)),
        ),
        row(
          'Request',
          outcomes.map(({ line, href }) => (href === undefined ? requestLink(line.id) : h('a', { href }, line.id))),
        ),
      ),
    ),
  );
