/** Describes a set-up of the atlas: a library with its client programs, and what its documentation says of it. */
import type { CallName, FaultName } from './cells.ts';

export const languages = ['JavaScript', 'Python', 'Go', 'Java', 'PHP', 'Ruby', 'C#', 'Perl', 'Shell'] as const;

export type Language = (typeof languages)[number];

type Method = 'GET' | 'PATCH' | 'POST';

/** Describes what the documentation says that a library does; written down before it is run. */
export interface Documented {
  /** Names the documentation. */
  readonly source: string;
  /** Lists the methods that are repeated; none when nothing is. */
  readonly methods: readonly Method[];
  /** Lists the statuses that are repeated. */
  readonly statuses: readonly number[];
  /** Statuses that it repeats whatever the method (default: none). */
  readonly anyMethodStatuses?: readonly number[];
  /** True when it repeats after a reset or a closed connection. */
  readonly networkErrors: boolean;
  /** The methods that it repeats after these (default: the same). */
  readonly lostMethods?: readonly Method[];
  /** True when it repeats after its own timeout. */
  readonly timeouts: boolean;
  /** The time in ms after which it gives up waiting for a response; nothing when it waits for ever. */
  readonly timeout?: number;
  /** Attempts in all. */
  readonly attempts: number;
  /** Describes the pauses. */
  readonly pauses: string;
  /** True when it waits as long as Retry-After says, of a status that it repeats. */
  readonly heedsRetryAfter: boolean;
  /** What its user is told of a body that is cut: an error, which it repeats or not, or nothing (default: an error). */
  readonly cut?: 'repeated' | 'error' | 'silent';
  /** The methods that the transport below sends again by itself, after an idle connection was lost (default: none). */
  readonly transport?: readonly Method[];
}

export type Expected = Partial<Record<`${CallName}/${FaultName}`, string>>;

export interface Setup {
  readonly id: string;
  readonly title: string;
  readonly language: Language;
  /** Its file below test/atlas/clients. */
  readonly file: string;
  /** Packages of npm with their versions, or Debian's packages. */
  readonly install: { readonly npm?: Readonly<Record<string, string>>; readonly debian?: readonly string[] };
  /** The package of npm or Debian that has the version, or the command that prints it. */
  readonly version: { readonly npm: string } | { readonly debian: string } | { readonly command: readonly string[] };
  readonly documented: Documented;
  /** Cells of which the documentation says more than the fields can. */
  readonly expected?: Expected;
  /** The set-up whose recipe serves for it too. */
  readonly recipeOf?: string;
}
