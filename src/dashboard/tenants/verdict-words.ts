/** Judges tenants one after another, and each again only when it had more requests: a verdict costs the service time. */
import { reportErrors } from '../ui/elements.ts';
import { requestSim } from '../api/client.ts';
import type { TenantJson, Verdict } from '../api/api-types.ts';

type Word = Verdict['verdict'];

interface JudgedTenant {
  readonly word: Word;
  /** Tells whether there was more to judge since. */
  readonly state: string;
}

const stateOf = ({ exchanges, now, activity }: TenantJson): string => `${exchanges} ${activity?.faulted} ${now}`;

/** Rests so many ms between two verdicts, so that the service stays fast. */
const rest = 40;

export interface VerdictWords {
  /** Returns the verdict of a tenant as far as it is known. */
  readonly wordOf: (name: string) => Word | undefined;
  /** Judges tenants that are in sight, unless nothing has happened in them since. */
  readonly judge: (tenants: readonly TenantJson[]) => Promise<void>;
}

/** Creates the words; `onWord` hears of each that was found. */
export function verdictWords(onWord: () => void): VerdictWords {
  const known = new Map<string, JudgedTenant>();
  let isJudging = false;
  const judgeOne = async (tenant: TenantJson): Promise<void> => {
    const state = stateOf(tenant);
    if (known.get(tenant.name)?.state === state) return;
    const { verdict: word } = await requestSim<Verdict>('GET', '/verdict', { query: { tenant: tenant.name } });
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
