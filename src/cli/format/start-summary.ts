import type { Exchange, SideEffects } from '../../core/exchange/exchange.ts';
import { findAssumption } from '../../service/assumptions/variants.ts';
import { redact } from './redact.ts';

interface WarningGroup {
  count: number;
  /** Shows the first warning of its kind, with its request. */
  readonly example: string;
}

/** Counts requests, warnings and assumptions, to sum up a run when it ends. */
export class StartSummary {
  readonly #variants: Readonly<Record<string, string>>;
  readonly #warnings = new Map<string, WarningGroup>();
  readonly #assumptions = new Map<string, number>();
  #requests = 0;
  #rejected = 0;
  /** Counts requests whose client got no response. */
  #lost = 0;

  /** Creates a summary; `variants` holds the assumptions that are not at their default. */
  constructor(variants: Readonly<Record<string, string>>) {
    this.#variants = variants;
  }

  /** Counts a request when it completes, and again each of its jobs when that is executed. */
  count(exchange: Exchange): void {
    const deferred = exchange.deferredEffects.at(-1);
    if (deferred) {
      this.#countOutcome(exchange, deferred.sideEffects);
      return;
    }
    this.#requests++;
    if (typeof exchange.status !== 'number') this.#lost++;
    else if (exchange.status >= 400) this.#rejected++;
    this.#countOutcome(exchange, exchange.sideEffects);
  }

  toJSON(): object {
    return {
      event: 'summary',
      requests: this.#requests,
      rejected: this.#rejected,
      lost: this.#lost,
      warnings: [...this.#warnings].map(([code, { count, example }]) => ({ code, count, example })),
      assumptions: this.#assumptionList(),
    };
  }

  /** Returns a line for each warning and assumption, the most frequent warning first. */
  lines(): string[] {
    const warnings = [...this.#warnings].toSorted(([, a], [, b]) => b.count - a.count);
    const assumptions = this.#assumptionList();
    return [
      `${plural(this.#requests, 'request')}, ${this.#rejected} rejected${this.#lost > 0 ? `, ${this.#lost} lost` : ''}`,
      ...(warnings.length > 0 ? ['warnings:'] : []),
      ...warnings.map(([code, { count, example }]) => `  ${count} × ${code}, first: ${example}`),
      ...(assumptions.length > 0 ? ['assumptions that responses rest on (change one with --assume ID=VARIANT):'] : []),
      ...assumptions.map(
        ({ id, topic, variant, requests }) => `  ${id} ${topic}: ${variant} (${plural(requests, 'request')})`,
      ),
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
      .map(([id, requests]) => ({
        id,
        topic: findAssumption(id)?.topic ?? '',
        variant: this.#variants[id] ?? 'default',
        requests,
      }));
  }
}

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
