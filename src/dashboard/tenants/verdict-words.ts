/** Judges tenants one after another, and each again only when it had more requests: a verdict costs the service time. */
import { reportErrors } from '../ui/elements.ts';
import { addMilliseconds } from '../ui/timestamps.ts';
import { requestSim } from '../api/client.ts';
import type { TenantJson, Verdict } from '../api/api-types.ts';

type Word = Verdict['verdict'];

interface JudgedTenant {
  readonly word: Word;
  /** Tells whether there was more to judge since. */
  readonly state: string;
}

/** Counts the letters of a timestamp down to its tens of seconds: a running clock is read and shown a little later each time. */
const coarse = '2026-03-01T12:00:0'.length;

/** Returns a moment that changes only when somebody moves the clock. */
const clockOf = ({ now, frozen }: TenantJson): string =>
  frozen ? now : addMilliseconds(now, -performance.now()).slice(0, coarse);

/** Returns how often the time since the last request has doubled: a client that is still waiting tries again soon, or never. */
const doublingsOf = (idle: number | null | undefined): number => Math.floor(Math.log2(1 + (idle ?? 0) / 1000));

const stateOf = (tenant: TenantJson): string => {
  const { exchanges, activity } = tenant;
  const last = [activity?.faulted, activity?.lastRequest, doublingsOf(activity?.idle)];
  return [exchanges, ...last, clockOf(tenant)].join(' ');
};

/** Rests so many ms between two verdicts, and so many times longer than one took that was not the first of its tenant. */
const shortestRest = 40;
const rests = 20;

export interface VerdictWords {
  /** Returns the verdict of a tenant as far as it is known. */
  readonly wordOf: (name: string) => Word | undefined;
  /** Judges tenants that are in sight, unless nothing has happened in them since; ever more rarely where only time goes on. */
  readonly judge: (tenants: readonly TenantJson[]) => Promise<void>;
}

/** Creates the words; `onWord` hears of each that was found. */
export function verdictWords(onWord: () => void): VerdictWords {
  const known = new Map<string, JudgedTenant>();
  let isJudging = false;
  const judgeOne = async (tenant: TenantJson): Promise<void> => {
    const state = stateOf(tenant);
    if (known.get(tenant.name)?.state === state) return;
    const started = performance.now();
    const query = { tenant: tenant.name, operations: 'notable' };
    const { verdict: word } = await requestSim<Verdict>('GET', '/verdict', { query });
    const took = performance.now() - started;
    const rest = known.has(tenant.name) ? Math.max(shortestRest, rests * took) : shortestRest;
    known.set(tenant.name, { word, state });
    onWord();
    await new Promise((resolve) => setTimeout(resolve, rest));
  };
  return {
    wordOf: (name) => known.get(name)?.word,
    judge: async (tenants) => {
      if (isJudging) return;
      isJudging = true;
      // A tenant may be gone by now; the others are judged all the same.
      for (const tenant of tenants) await reportErrors(() => judgeOne(tenant).catch(() => {}));
      isJudging = false;
    },
  };
}
