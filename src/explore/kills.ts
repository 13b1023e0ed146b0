/** Kills the client at a request, starts it again with the same files, and judges what it made of that. */
import type { Exchange } from '../core/exchange/exchange.ts';
import type { Tenant } from '../core/tenant/tenant.ts';
import { sleepFor, startTimer } from '../core/time/clock.ts';
import { scenarioOf } from '../scenario/scenario.ts';
import { outlivesRestart } from '../verdict/rules/r13-lost-over-restart.ts';
import { killId, killMoments, planned } from './experiment.ts';
import type { Kill } from './experiment.ts';
import type { Symptom } from './symptoms.ts';
import { callId, traceOf } from './trace.ts';
import type { Call } from './trace.ts';

/** Tells what a process that runs the client has to know of a kill. */
export interface KillSignal {
  /** Resolves at the moment at which the client is to be killed; never, when it does not come that far. */
  readonly reached: Promise<void>;
  /** Is to be called once the client is dead, and before it is started again. */
  readonly onKilled: () => Promise<void>;
}

export interface ArmedKill extends KillSignal {
  /** Holds the number of the last request before the client was started again; undefined when it was not killed. */
  readonly restartedAfter: () => number | undefined;
}

/** Arms a kill: the request hangs, or is watched, until the client is dead. */
export function armKill(tenant: Tenant, kill: Kill): ArmedKill {
  let restartedAfter: number | undefined;
  const reached = new Promise<void>((reach) => {
    if (kill.moment === 'response') {
      tenant.journal.onCompleted((exchange) => {
        if (isAt(tenant, exchange, kill)) reach();
      });
      return;
    }
    // Its work, where it is to be done, is done within the turn in which the fault is decided.
    tenant.journal.faulted.subscribe(({ fault }) => {
      if (fault?.rule === killId(kill)) startTimer(workTime, reach);
    });
    const { endpoint, operation, attempt } = kill;
    const probe = kill.moment === 'work' ? 'hang-after' : 'hang-before';
    const { spec } = planned(killId(kill), probe, { match: { endpoint }, operation, attempt, times: 1 });
    scenarioOf(tenant).faults.add(spec);
  });
  const onKilled = async (): Promise<void> => {
    tenant.releaseHeldRequests();
    await untilNothingIsLeft(tenant);
    restartedAfter = tenant.journal.nextNumber() - 1;
  };
  return { reached, onKilled, restartedAfter: () => restartedAfter };
}

/** Gives the work of a request time to be done before its client is killed, in ms. */
const workTime = 5;

/** Limits the wait for requests of a client that is dead, in ms. */
const maxWait = 1000;

/** Waits for the end of all requests and connections: what a client sent before it died may still be on its way. */
async function untilNothingIsLeft({ journal }: Tenant): Promise<void> {
  for (let waited = 0; waited < maxWait; waited += 5) {
    if ([...journal.exchanges()].every(isOver)) return;
    await sleepFor(5);
  }
}

const isOver = ({ finishedAt, connection }: Exchange): boolean =>
  finishedAt !== undefined && (connection === undefined || connection.life.closedAt !== undefined);

const isAt = (tenant: Tenant, exchange: Exchange, kill: Kill): boolean =>
  traceOf(tenant).some((call) => call.exchange === exchange && call.id === callId(kill));

/** Names the rules that say that something was never delivered. */
const lossRules: ReadonlySet<string> = new Set(['R1', 'R9']);

/** Tells what was lost before a restart as that: whatever rule saw it. */
export function asLossOverRestart(symptom: Symptom, isBeforeRestart: (request: string) => boolean): Symptom {
  if (!lossRules.has(symptom.rule) || !symptom.requests.every(isBeforeRestart)) return symptom;
  const { id: rule, title, advice } = outlivesRestart;
  return {
    ...symptom,
    rule,
    title,
    advice,
    message: `${symptom.message}, after its client was killed and started again`,
  };
}

/** Returns the kills that are tried: every call, at every moment that differs for the client or the service. */
export const killsFor = (calls: readonly Call[]): Kill[] =>
  calls.flatMap(({ endpoint, operation, attempt, retry }) =>
    killMoments
      // A read leaves nothing behind, whenever its client dies.
      .filter((moment) => retry !== 'safe' || moment === 'before')
      .map((moment) => ({ endpoint, operation, attempt, moment })),
  );
