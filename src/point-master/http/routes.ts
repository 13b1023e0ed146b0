/** Routes each request to its handler, and injects faults. */
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
import { getPointHistory, receiveWebhook, requestedTenant } from './service-handlers.ts';
import { pointMasterError } from '../errors.ts';
import type { PointMasterHttpRequest, PointMasterResponse } from './server.ts';

interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly paths: readonly string[];
  readonly handle: (
    dependencies: Dependencies,
    request: PointMasterHttpRequest,
  ) => PointMasterResponse | Promise<PointMasterResponse>;
  /** Marks a request of the service, which faults can hit; routes without it are control requests. */
  readonly faultTarget?: FaultTarget;
}

const routes: readonly Route[] = [
  { method: 'POST', paths: ['/', '/webhook'], handle: receiveWebhook, faultTarget: 'webhook' },
  { method: 'GET', paths: ['/fetchPointHistory'], handle: getPointHistory, faultTarget: 'history' },
  { method: 'GET', paths: ['/ledger'], handle: getLedger },
  { method: 'POST', paths: ['/adjust'], handle: postAdjustment },
  { method: 'POST', paths: ['/sync'], handle: postSync },
  { method: 'GET', paths: ['/__master/faults'], handle: getFaults },
  { method: 'PUT', paths: ['/__master/faults'], handle: putFaults },
  { method: 'DELETE', paths: ['/__master/faults'], handle: deleteFaults },
  { method: 'GET', paths: ['/__master/log'], handle: getLog },
  { method: 'POST', paths: ['/__master/reset'], handle: postReset },
];

interface HandlerOptions {
  readonly dependencies: Dependencies;
  readonly guard: PointMasterAccess;
  /** Aborts when the point master is closed. */
  readonly signal: AbortSignal;
}

/** Creates the function that checks, routes and handles each request, and injects the fault that hits it. */
export function createRequestHandler({
  dependencies,
  guard,
  signal,
}: HandlerOptions): (request: PointMasterHttpRequest) => Promise<PointMasterResponse> {
  return async function handleRequest(request) {
    checkRequestOrigin(request.headers, guard);
    const route = findRoute(request);
    if (route.faultTarget === undefined) authenticateAdmin(request.headers, guard);
    const fault =
      route.faultTarget && dependencies.faults.select(route.faultTarget, requestedTenant(dependencies, request));
    if (!fault) return route.handle(dependencies, request);
    dependencies.log.add({
      event: 'fault',
      at: dependencies.now(''),
      fault: fault.fault,
      during: route.faultTarget ?? 'webhook',
    });
    return injectFault(fault, () => route.handle(dependencies, request), signal);
  };
}

function findRoute({ method, path }: PointMasterHttpRequest): Route {
  const atPath = routes.filter(({ paths }) => paths.includes(path));
  const route = atPath.find((candidate) => candidate.method === method);
  if (route) return route;
  if (atPath.length === 0) {
    const known = [...new Set(routes.flatMap(({ paths }) => paths))].join(', ');
    throw pointMasterError('NotFound', `There is nothing at ${path}; a point master has ${known}.`);
  }
  const allow = atPath.map((candidate) => candidate.method).join(', ');
  throw pointMasterError('MethodNotAllowed', `${path} takes ${allow}, not ${method}.`, { allow });
}

const lost: PointMasterResponse = { status: 0, body: undefined, isLost: true };

/** Injects a fault. `down` and `error` skip the work; `slow` and `lost-response` do it first. */
async function injectFault(
  { fault, status = 500, delay = 0 }: ActiveFault,
  work: () => PointMasterResponse | Promise<PointMasterResponse>,
  signal: AbortSignal,
): Promise<PointMasterResponse> {
  if (fault === 'down') return lost;
  if (fault === 'error') {
    return {
      status,
      body: { errorCode: 'PlannedFault', message: 'The point master fails here because of a planned fault.' },
    };
  }
  const response = await work();
  if (fault === 'lost-response') return lost;
  await waitOrAbort(delay, signal);
  return response;
}
