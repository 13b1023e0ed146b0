/** Which call does what. */
import { adjust, clearFaults, putFaults, resetMaster, showFaults, showLedger, showLog, syncNow } from './control.ts';
import type { FaultPlace, Struck } from './faults.ts';
import { refuseStrangers, refuseUnknown } from './guard.ts';
import type { GuardOptions } from './guard.ts';
import type { Parts } from './parts.ts';
import { pause } from './pause.ts';
import { fetchPointHistory, receiveWebhook, tenantOf } from './receive.ts';
import { refusal } from './refusals.ts';
import type { Call, Reply } from './server.ts';

interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly paths: readonly string[];
  readonly handle: (parts: Parts, call: Call) => Reply | Promise<Reply>;
  /** What the service calls, and may go wrong on purpose; all others drive the master. */
  readonly place?: FaultPlace;
}

const routes: readonly Route[] = [
  { method: 'POST', paths: ['/', '/webhook'], handle: receiveWebhook, place: 'webhook' },
  { method: 'GET', paths: ['/fetchPointHistory'], handle: fetchPointHistory, place: 'history' },
  { method: 'GET', paths: ['/ledger'], handle: showLedger },
  { method: 'POST', paths: ['/adjust'], handle: adjust },
  { method: 'POST', paths: ['/sync'], handle: syncNow },
  { method: 'GET', paths: ['/__master/faults'], handle: showFaults },
  { method: 'PUT', paths: ['/__master/faults'], handle: putFaults },
  { method: 'DELETE', paths: ['/__master/faults'], handle: clearFaults },
  { method: 'GET', paths: ['/__master/log'], handle: showLog },
  { method: 'POST', paths: ['/__master/reset'], handle: resetMaster },
];

interface AnswerOptions {
  readonly parts: Parts;
  readonly guard: GuardOptions;
  /** Aborted when the master is closed. */
  readonly signal: AbortSignal;
}

/** Answers calls: guarded, routed, and with what is to go wrong gone wrong. */
export function answerWith({ parts, guard, signal }: AnswerOptions): (call: Call) => Promise<Reply> {
  return async function answer(call) {
    refuseStrangers(call.headers, guard);
    const route = routeOf(call);
    if (route.place === undefined) refuseUnknown(call.headers, guard);
    const fault = route.place && parts.faults.take(route.place, tenantOf(parts, call));
    if (!fault) return route.handle(parts, call);
    parts.log.add({ event: 'fault', at: parts.now(''), fault: fault.fault, during: route.place ?? 'webhook' });
    return spoilt(fault, () => route.handle(parts, call), signal);
  };
}

function routeOf({ method, path }: Call): Route {
  const there = routes.filter(({ paths }) => paths.includes(path));
  const route = there.find((candidate) => candidate.method === method);
  if (route) return route;
  if (there.length === 0) {
    const known = [...new Set(routes.flatMap(({ paths }) => paths))].join(', ');
    throw refusal('NotFound', `There is nothing at ${path}; a point master has ${known}.`);
  }
  const allow = there.map((candidate) => candidate.method).join(', ');
  throw refusal('MethodNotAllowed', `${path} takes ${allow}, not ${method}.`, { allow });
}

const lost: Reply = { status: 0, body: undefined, isLost: true };

/** Down and in error, nothing happened; slow and with its answer lost, it did. */
async function spoilt(
  { fault, status = 500, delay = 0 }: Struck,
  work: () => Reply | Promise<Reply>,
  signal: AbortSignal,
): Promise<Reply> {
  if (fault === 'down') return lost;
  if (fault === 'error') {
    return { status, body: { errorCode: 'PlannedFault', message: 'The point master was asked to fail here.' } };
  }
  const reply = await work();
  if (fault === 'lost-answer') return lost;
  await pause(delay, signal);
  return reply;
}
