import type { Exchange, SideEffects } from '../../core/exchange/exchange.ts';
import { findAssumption } from '../../service/assumptions/variants.ts';
import { redact } from './redact.ts';

interface WarningGroup {
  count: number;
  /** The first of its kind, with the call that it came with. */
  readonly example: string;
}

/** What there is to say of a run when it ends. */
export class StartSummary {
  readonly #variants: Readonly<Record<string, string>>;
  readonly #warnings = new Map<string, WarningGroup>();
  readonly #assumptions = new Map<string, number>();
  #calls = 0;
  #refused = 0;
  /** Without any answer for the caller. */
  #lost = 0;

  /** Takes the assumptions that are not at their default. */
  constructor(variants: Readonly<Record<string, string>>) {
    this.#variants = variants;
  }

  /** Takes in a call when it is answered, and each of its jobs when that is done. */
  count(exchange: Exchange): void {
    const late = exchange.deferredEffects.at(-1);
    if (late) {
      this.#countOutcome(exchange, late.sideEffects);
      return;
    }
    this.#calls++;
    if (typeof exchange.status !== 'number') this.#lost++;
    else if (exchange.status >= 400) this.#refused++;
    this.#countOutcome(exchange, exchange.sideEffects);
  }

  toJSON(): object {
    return {
      event: 'summary',
      calls: this.#calls,
      refused: this.#refused,
      lost: this.#lost,
      warnings: [...this.#warnings].map(([code, { count, example }]) => ({ code, count, example })),
      assumptions: this.#assumptionList(),
    };
  }

  /** One line each, most frequent first; warnings and assumptions only where there are any. */
  lines(): string[] {
    const warnings = [...this.#warnings].toSorted(([, a], [, b]) => b.count - a.count);
    const assumptions = this.#assumptionList();
    return [
      `${plural(this.#calls, 'call')}, ${this.#refused} refused${this.#lost > 0 ? `, ${this.#lost} lost` : ''}`,
      ...(warnings.length > 0 ? ['warnings:'] : []),
      ...warnings.map(([code, { count, example }]) => `  ${count} × ${code}, first: ${example}`),
      ...(assumptions.length > 0 ? ['assumptions that answers rest on (change one with --assume ID=VARIANT):'] : []),
      ...assumptions.map(({ id, topic, variant, calls }) => `  ${id} ${topic}: ${variant} (${plural(calls, 'call')})`),
    ];
  }

  #countOutcome({ method, path }: Exchange, { warnings, assumptions }: SideEffects): void {
    for (const { code, message } of warnings) {
      const group = this.#warnings.get(code) ?? { count: 0, example: redact(`${method} ${path}: ${message}`) };
      group.count++;
      this.#warnings.set(code, group);
    }
    for (const id of assumptions) this.#assumptions.set(id, (this.#assumptions.get(id) ?? 0) + 1);
  }

  #assumptionList() {
    return [...this.#assumptions]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([id, calls]) => ({
        id,
        topic: findAssumption(id)?.topic ?? '',
        variant: this.#variants[id] ?? 'default',
        calls,
      }));
  }
}

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
