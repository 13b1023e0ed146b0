/** What the service did to its rows, field by field. */
import { chip, inline, linkToCall, make, momentOf, plural } from './elements.ts';
import type { Child } from './elements.ts';
import type { Effect, Happening } from './shown.ts';

export const effectList = (effects: readonly Effect[]): Child =>
  effects.length === 0
    ? make('p', { class: 'faint' }, 'Nothing was changed.')
    : make('ul', { class: 'effects' }, effects.map(effectItem));

const effectItem = ({ table, key, change, fields }: Effect): HTMLElement =>
  make(
    'li',
    {},
    chip(change, change),
    ` ${table} `,
    make('code', {}, key),
    make(
      'ul',
      {},
      Object.entries(fields).map(([name, field]) => make('li', {}, `${name}: `, changeWords(field))),
    ),
  );

function changeWords({ from, to }: Effect['fields'][string]): Child {
  const after = make('code', {}, to === undefined ? '–' : inline(to));
  return from === undefined ? after : [make('code', {}, inline(from)), ' → ', after];
}

/** Jobs that were done, the last first. */
export const happeningItem = ({ at, kind, exchange, effects, warnings, error }: Happening): HTMLElement =>
  make(
    'li',
    {},
    `${momentOf(at)} ${kind}`,
    exchange !== null && [' for ', linkToCall(exchange)],
    error === null
      ? make('span', { class: 'faint' }, ` ${plural(effects.length, 'effect')}`)
      : [' ', chip(`failed: ${error}`, 'failed')],
    warnings.map(({ message }) => make('p', { class: 'faint' }, message)),
    effects.length > 0 && make('details', {}, make('summary', {}, 'what it did'), effectList(effects)),
  );
