import type { ClockSetting } from '../../core/clock.ts';
import { jobs } from '../../core/jobs.ts';
import { emptyState } from '../../core/state.ts';
import type { State } from '../../core/state.ts';
import { stateWith } from './content.ts';
import type { Content, Setup } from './content.ts';
import { damage, reasonOf } from './damage.ts';
import type { Where } from './damage.ts';
import type { Entry, Located } from './entry.ts';

/** A state in the making: the last word on each row, by table and key. */
interface Draft {
  readonly base: State;
  readonly rows: Map<string, Map<string, object | null>>;
  sequences: State['sequences'];
}

interface TenantDraft extends Draft {
  readonly seed: string;
  readonly setup: Setup | undefined;
  clock: ClockSetting;
}

const draftOf = (base: State): Draft => ({ base, rows: new Map(), sequences: base.sequences });

/** Adds entries to a content in the order they were written; each state is made once, when all was said of it. */
export class Fold {
  readonly #content: Content;
  readonly #file: string;
  readonly #seeds = new Map<string, Draft>();
  readonly #tenants = new Map<string, TenantDraft>();

  constructor(content: Content, file: string) {
    this.#content = content;
    this.#file = file;
  }

  add({ entry, where }: Located): void {
    const { tenant, seed = '', removed, clock } = entry;
    if (tenant === undefined) return addTo(this.#seed(seed), entry);
    if (removed) return this.#remove(tenant);
    const draft = entry.seed === undefined ? this.#known(tenant, where) : this.#begin(entry.seed, entry, where);
    this.#tenants.set(tenant, draft);
    if (clock) draft.clock = clock;
    addTo(draft, entry);
  }

  finish(): void {
    for (const id of this.#seeds.keys()) this.#finishSeed(id);
    for (const [name, draft] of this.#tenants) {
      const { seed, setup, clock } = draft;
      this.#content.tenants.set(name, { seed, setup, clock, state: this.#stateOf(draft, `tenant "${name}"`) });
    }
  }

  #seed(id: string): Draft {
    const draft = this.#seeds.get(id) ?? draftOf(emptyState);
    this.#seeds.set(id, draft);
    return draft;
  }

  #remove(tenant: string): void {
    this.#tenants.delete(tenant);
    this.#content.tenants.delete(tenant);
  }

  #begin(seed: string, { setup }: Entry, where: Where): TenantDraft {
    // A seed is told of before the first tenant that starts from it.
    this.#finishSeed(seed);
    const state = this.#content.seeds.get(seed);
    if (!state) throw damage(where, `nothing was said of the seed "${seed}" before`);
    return { ...draftOf(state), seed, setup, clock: { offset: 0 } };
  }

  #known(tenant: string, where: Where): TenantDraft {
    const draft = this.#tenants.get(tenant);
    if (draft) return draft;
    const saved = this.#content.tenants.get(tenant);
    if (!saved) throw damage(where, `nothing was said of the tenant "${tenant}" before`);
    return { ...saved, ...draftOf(saved.state) };
  }

  #finishSeed(id: string): void {
    const draft = this.#seeds.get(id);
    if (draft) this.#content.seeds.set(id, this.#stateOf(draft, `seed "${id}"`));
    this.#seeds.delete(id);
  }

  #stateOf({ base, rows, sequences }: Draft, whose: string): State {
    try {
      let state: State = { ...base, sequences };
      for (const [table, changed] of rows) state = stateWith(state, table, changed);
      return state;
    } catch (error) {
      throw damage({ file: this.#file }, `the rows of the ${whose} don't fit together: ${reasonOf(error)}`);
    }
  }
}

function addTo(draft: Draft, { rows = [], sequences }: Entry): void {
  if (sequences) draft.sequences = sequences;
  for (const [table, key, row] of rows) {
    const changed = draft.rows.get(table) ?? new Map<string, object | null>();
    draft.rows.set(table, changed);
    // The exchange that asked for a job went with the journal of its run, and another will bear its name.
    changed.set(key, row && table === jobs.name ? { ...row, exchange: undefined } : row);
  }
}
