/** Describes a suite of `loyalty-sim conformance`: that of clients, or that of point masters. */
import type { CaseResult } from '../../explore/conformance/case-result.ts';
import type { CaseCatalog } from '../../explore/conformance/cases.ts';
import type { ExploredFlags } from './explored-command.ts';

export interface ConformanceFlags extends ExploredFlags {
  readonly client?: readonly string[] | undefined;
  readonly case?: readonly string[] | undefined;
  readonly report?: readonly string[] | undefined;
  readonly baseline?: string | undefined;
  readonly updateBaseline?: boolean | undefined;
  readonly jobs?: string | undefined;
  readonly json?: boolean | undefined;
  /** Holds the address of a point master, which is tested in place of a client. */
  readonly pointMaster?: string | undefined;
  readonly oldKey?: string | undefined;
}

/** Names a client that the suite is run with. */
export interface ConformanceClient {
  readonly name: string;
  readonly command: readonly string[];
  /** True for a command that is a line of the system's shell. */
  readonly isShellLine: boolean;
}

/** Describes a suite of cases, and how it is played. */
export interface ConformanceSuite {
  readonly catalog: CaseCatalog;
  /** Names what is tested without a command; undefined where it takes one. */
  readonly running?: ConformanceClient | undefined;
  /** Throws `InputError` for flags that the suite does not take. */
  readonly check: (flags: ConformanceFlags) => void;
  readonly play: (client: ConformanceClient, options: SuiteOptions) => Promise<SuiteEnd>;
}

export interface SuiteOptions {
  readonly patterns: readonly string[];
  readonly flags: ConformanceFlags;
  readonly timeout: number;
  readonly jobs: number;
}

export interface SuiteEnd {
  readonly results: readonly CaseResult[];
  /** Holds the exit code when the suite was aborted: the client failed without a fault, or a signal stopped us. */
  readonly abortCode?: number;
}
