/** Explains the shapes of the timeline, drawn as they are there. */
import { h } from '../../ui/elements.ts';
import { fitCanvas } from './canvas.ts';
import type { Colours } from './colours.ts';
import { drawBar, drawEffect, drawFault, drawWebhook } from './shapes.ts';

type Draw = (context: CanvasRenderingContext2D, colours: Colours) => void;

const bar = { x: 4, y: 6, width: 22, height: 10 };

const entries: readonly (readonly [words: string, draw: Draw])[] = [
  ['success', (context, colours) => drawBar(context, bar, { outcome: 'ok' }, colours)],
  ['rejected', (context, colours) => drawBar(context, bar, { outcome: 'rejected' }, colours)],
  ['server error', (context, colours) => drawBar(context, bar, { outcome: 'server-error' }, colours)],
  ['no response', (context, colours) => drawBar(context, bar, { outcome: 'no-response' }, colours)],
  ['in flight', (context, colours) => drawBar(context, bar, { outcome: 'in-flight' }, colours)],
  [
    'fault, before (left) or after (right) the work',
    (context, colours) => drawFault(context, { ...bar, width: 14, y: 11 }, 'after', colours),
  ],
  ['changed something', (context, colours) => drawEffect(context, { ...bar, x: 2 }, colours)],
  ['webhook', (context, colours) => drawWebhook(context, 15, 11, colours, true)],
];

export function timelineLegend() {
  const items = entries.map(([words, draw]) => ({ draw, words, canvas: h('canvas', { 'aria-hidden': 'true' }) }));
  return {
    element: h(
      'ul',
      { class: 'legend', 'aria-label': 'Legend' },
      items.map(({ canvas, words }) => h('li', {}, canvas, words)),
    ),
    draw: (colours: Colours): void => {
      for (const { canvas, draw } of items) draw(fitCanvas(canvas, 36, 22).context, colours);
    },
  };
}
