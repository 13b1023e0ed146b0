/** Which call does what. */
import {
  postAdjustment,
  deleteFaults,
  putFaults,
  postReset,
  getFaults,
  getLedger,
  getLog,
  postSync,
} from './admin-handlers.ts';
import type { FaultTarget, ActiveFault } from '../faults.ts';
import { checkRequestOrigin, authenticateAdmin } from './guard.ts';
import type { PointMasterAccess } from './guard.ts';
import type { Dependencies } from '../dependencies.ts';
import { waitOrAbort } from '../wait.ts';
import { fetchPointHistory, receiveWebhook, requestedTenant } from './service-handlers.ts';
import { pointMasterError } from '../errors.ts';
import type { PointMasterRequest, PointMasterResponse } from './server.ts';

interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly paths: readonly string[];
  readonly handle: (
    parts: Dependencies,
    call: PointMasterRequest,
  ) => PointMasterResponse | Promise<PointMasterResponse>;
  /** What the service calls, and may go wrong on purpose; all others drive the master. */
  readonly faultTarget?: FaultTarget;
}

const routes: readonly Route[] = [
  { method: 'POST', paths: ['/', '/webhook'], handle: receiveWebhook, faultTarget: 'webhook' },
  { method: 'GET', paths: ['/fetchPointHistory'], handle: fetchPointHistory, faultTarget: 'history' },
  { method: 'GET', paths: ['/ledger'], handle: getLedger },
  { method: 'POST', paths: ['/adjust'], handle: postAdjustment },
  { method: 'POST', paths: ['/sync'], handle: postSync },
  { method: 'GET', paths: ['/__master/faults'], handle: getFaults },
  { method: 'PUT', paths: ['/__master/faults'], handle: putFaults },
  { method: 'DELETE', paths: ['/__master/faults'], handle: deleteFaults },
  { method: 'GET', paths: ['/__master/log'], handle: getLog },
  { method: 'POST', paths: ['/__master/reset'], handle: postReset },
];

interface AnswerOptions {
  readonly parts: Dependencies;
  readonly guard: PointMasterAccess;
  /** Aborted when the master is closed. */
  readonly signal: AbortSignal;
}

/** Answers calls: guarded, routed, and with what is to go wrong gone wrong. */
export function createRequestHandler({
  parts,
  guard,
  signal,
}: AnswerOptions): (call: PointMasterRequest) => Promise<PointMasterResponse> {
  return async function answer(call) {
    checkRequestOrigin(call.headers, guard);
    const route = routeOf(call);
    if (route.faultTarget === undefined) authenticateAdmin(call.headers, guard);
    const fault = route.faultTarget && parts.faults.select(route.faultTarget, requestedTenant(parts, call));
    if (!fault) return route.handle(parts, call);
    parts.log.add({ event: 'fault', at: parts.now(''), fault: fault.fault, during: route.faultTarget ?? 'webhook' });
    return injectFault(fault, () => route.handle(parts, call), signal);
  };
}

function routeOf({ method, path }: PointMasterRequest): Route {
  const there = routes.filter(({ paths }) => paths.includes(path));
  const route = there.find((candidate) => candidate.method === method);
  if (route) return route;
  if (there.length === 0) {
    const known = [...new Set(routes.flatMap(({ paths }) => paths))].join(', ');
    throw pointMasterError('NotFound', `There is nothing at ${path}; a point master has ${known}.`);
  }
  const allow = there.map((candidate) => candidate.method).join(', ');
  throw pointMasterError('MethodNotAllowed', `${path} takes ${allow}, not ${method}.`, { allow });
}

const lost: PointMasterResponse = { status: 0, body: undefined, isLost: true };

/** Down and in error, nothing happened; slow and with its answer lost, it did. */
async function injectFault(
  { fault, status = 500, delay = 0 }: ActiveFault,
  work: () => PointMasterResponse | Promise<PointMasterResponse>,
  signal: AbortSignal,
): Promise<PointMasterResponse> {
  if (fault === 'down') return lost;
  if (fault === 'error') {
    return { status, body: { errorCode: 'PlannedFault', message: 'The point master was asked to fail here.' } };
  }
  const reply = await work();
  if (fault === 'lost-response') return lost;
  await waitOrAbort(delay, signal);
  return reply;
}
