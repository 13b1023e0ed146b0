/** Time and the queue: what is due, what was done. */
import { button, chip, fill, folded, json, linkToCall, make, momentOf, plural, section } from './elements.ts';
import { clockPanel, happened } from './clock.ts';
import { showItems } from './items.ts';
import { callTenant } from './service.ts';
import type { ClockFace, Job, QueueSizes } from './shown.ts';
import type { View } from './view.ts';

const steer = (how: object): Promise<unknown> => callTenant('POST', '/queue', { body: how });

const jobItem = ({ id, kind, status, dueAt, exchange, payload, error, failsBy }: Job): HTMLElement =>
  make(
    'li',
    { class: 'card' },
    make(
      'p',
      {},
      make('strong', {}, kind),
      ` job ${id} `,
      chip(status, status),
      status === 'queued' && ` due ${momentOf(dueAt)}`,
      exchange !== null && [' for ', linkToCall(exchange)],
      failsBy !== null && ` will fail by the rule ${failsBy}`,
    ),
    error !== null && make('p', { class: 'error' }, error),
    folded('what it is about', make('pre', {}, json(payload))),
    status === 'queued' && button('Let it fail', () => steer({ fail: id })),
  );

export function timeView(onTurn: (face: ClockFace) => void): View {
  const sizes = make('p', { role: 'status' });
  const list = make('ul', { class: 'cards' });
  const past = happened();
  const buttons = make(
    'p',
    { class: 'actions' },
    button('Hold', () => steer({ hold: true }), { title: 'Nothing is done until it is asked for' }),
    button('Release', () => steer({ release: true })),
    button('Step', () => steer({ step: true }), { title: 'Does the next job, due or not' }),
    button('Drain', () => steer({ drain: true }), { title: 'Does all jobs, due or not' }),
    button('Fail next', () => steer({ fail: true })),
  );
  return {
    name: 'time',
    title: 'Time and queue',
    element: make(
      'div',
      { class: 'two' },
      make('div', {}, section('Clock', clockPanel(onTurn)), section('What happened', past.list)),
      section('Queue', buttons, sizes, list),
    ),
    staleBy: /^(queue|job|clock|state|tenant|stream)/,
    hear: past.hear,
    refresh: async () => {
      past.show();
      const { jobs, held, queued, failed } = await callTenant<QueueSizes & { jobs: Job[] }>('GET', '/queue');
      fill(
        sizes,
        held && [chip('held', 'frozen'), ' '],
        `${queued} queued, ${failed} failed`,
        jobs.length < queued + failed && `, ${plural(jobs.length, 'job')} shown`,
      );
      showItems(list, jobs, { key: ({ id }) => id, look: jobItem, none: 'No work is waiting.' });
    },
  };
}
