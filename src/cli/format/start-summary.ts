import { plural } from '../../core/lib/plural.ts';
import type { Exchange, SideEffects } from '../../core/exchange/exchange.ts';
import { findAssumption } from '../../service/assumptions/variants.ts';
import { redact } from '../../core/exchange/redact.ts';
import { formatRejection, rejectionOf } from './rejection.ts';

interface CountedGroup {
  count: number;
  /** Shows the first of its kind, with its request. */
  readonly example: string;
}

type Groups = Map<string, CountedGroup>;

/** Limits the groups of one kind: paths and fields are what clients make them. */
const maxGroups = 100;

/** Stands for all groups beyond the limit. */
const otherGroups = 'others';

const unservedCodes: ReadonlySet<string> = new Set(['EndpointNotFound', 'MethodNotAllowed']);

/** Counts requests, rejections, warnings and assumptions, to sum up a run when it ends. */
export class StartSummary {
  readonly #variants: Readonly<Record<string, string>>;
  readonly #warnings: Groups = new Map();
  /** Holds rejections by their codes and first wrong fields. */
  readonly #rejections: Groups = new Map();
  /** Holds methods and paths that nothing serves. */
  readonly #unserved: Groups = new Map();
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
    else if (exchange.status >= 400) {
      this.#rejected++;
      this.#countRejection(exchange);
    }
    this.#countOutcome(exchange, exchange.sideEffects);
  }

  toJSON(): object {
    return {
      event: 'summary',
      requests: this.#requests,
      rejected: this.#rejected,
      lost: this.#lost,
      rejections: listGroups(this.#rejections, 'error'),
      unserved: listGroups(this.#unserved, 'request'),
      warnings: listGroups(this.#warnings, 'code'),
      assumptions: this.#assumptionList(),
    };
  }

  /** Returns a line for each kind of rejection, unserved path, warning and assumption. */
  lines(): string[] {
    const assumptions = this.#assumptionList();
    return [
      `${plural(this.#requests, 'request')}, ${this.#rejected} rejected${this.#lost > 0 ? `, ${this.#lost} lost` : ''}`,
      ...formatGroups('rejected, by error and first wrong field:', this.#rejections),
      ...formatGroups('not served:', this.#unserved),
      ...formatGroups('warnings:', this.#warnings),
      ...(assumptions.length > 0 ? ['assumptions that responses rest on (change one with --assume ID=VARIANT):'] : []),
      ...assumptions.map(
        ({ id, topic, variant, requests }) => `  ${id} ${topic}: ${variant} (${plural(requests, 'request')})`,
      ),
    ];
  }

  #countOutcome({ method, path }: Exchange, { warnings, assumptions }: SideEffects): void {
    for (const { code, message } of warnings) countIn(this.#warnings, code, redact(`${method} ${path}: ${message}`));
    for (const id of assumptions) this.#assumptions.set(id, (this.#assumptions.get(id) ?? 0) + 1);
  }

  #countRejection(exchange: Exchange): void {
    const rejection = rejectionOf(exchange);
    if (!rejection) return;
    const { method, path } = exchange;
    if (unservedCodes.has(rejection.errorCode)) {
      const nearest = exchange.nearest === undefined ? '' : `, nearest: ${exchange.nearest}`;
      countIn(this.#unserved, redact(`${method} ${withoutIds(path)}`), redact(`${path}${nearest}`));
      return;
    }
    const { errorCode, field = '' } = rejection;
    const where = field === '' ? errorCode : `${errorCode} ${field.replaceAll(/\[\d+\]/g, '[*]')}`;
    countIn(this.#rejections, where, `${redact(`${method} ${path}`)}: ${formatRejection(rejection)}`);
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

function countIn(groups: Groups, name: string, example: string): void {
  const key = groups.has(name) || groups.size < maxGroups ? name : otherGroups;
  const group = groups.get(key) ?? { count: 0, example };
  group.count++;
  groups.set(key, group);
}

/** Returns the groups, the most frequent first. */
const sorted = (groups: Groups) => [...groups].toSorted(([, a], [, b]) => b.count - a.count);

const listGroups = (groups: Groups, name: string): object[] =>
  sorted(groups).map(([key, { count, example }]) => ({ [name]: key, count, example }));

const formatGroups = (title: string, groups: Groups): string[] =>
  groups.size === 0
    ? []
    : [title, ...sorted(groups).map(([key, { count, example }]) => `  ${count} × ${key}, first: ${example}`)];

/** Returns a path with a star in place of each id, so that requests for many contacts are one line. */
const withoutIds = (path: string): string =>
  path
    .split('/')
    .map((part) => (/^(?:\d+|[\da-f-]{32,36})$/i.test(part) ? '*' : part))
    .join('/');
