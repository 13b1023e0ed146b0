import { setMaxListeners } from 'node:events';
import { monotonicNow } from '../../core/time/clock.ts';
import { waitForClock } from '../../core/time/clock-wait.ts';
import { finishInTurns } from '../../core/time/steps.ts';
import type { Endpoint } from '../../core/exchange/endpoint.ts';
import { recordBody } from '../../core/exchange/exchange.ts';
import { ApiError } from '../../core/exchange/api-error.ts';
import type { FaultSelector } from '../../core/exchange/fault-plan.ts';
import type { Fault, InjectedFault } from '../../core/exchange/fault.ts';
import { faultKindOf } from '../../faults/fault-kinds.ts';
import type { ResponseSource } from '../../faults/kinds/fault-kind.ts';
import { seededBytes } from '../../core/lib/random.ts';
import { isLongText } from '../../core/validation/extent.ts';
import { readBody } from './request-body.ts';
import { IncomingRequest } from './incoming-request.ts';
import type { AppContext, PendingFault } from '../context.ts';
import { nothingDelivered } from '../transport/wire-plan.ts';
import { faultResponse } from './fault-response.ts';
import { sleep } from '../transport/sleep.ts';

interface FaultableRoute {
  readonly serve: (c: AppContext) => Response | Promise<Response>;
  /** Responds to what `serve` throws. */
  readonly respondToError: (error: unknown, c: AppContext) => Response;
  readonly endpoint: Endpoint | undefined;
}

/**
 * Selects a fault for the request, if any rule fires. In phase `before`, the endpoint is never reached, or only in a dry
 * run; in phase `after`, the work is done. The transport then drops, cuts or corrupts the response.
 */
export function withFaults(served: FaultableRoute): (c: AppContext) => Response | Promise<Response> {
  return function injectFaults(c: AppContext) {
    const { method } = c.req;
    const selector = c.get('tenant').faults.selectorFor(method, served.endpoint?.id);
    if (!selector) return served.serve(c);
    if (selector.readsBody && !isBodilessMethod(method)) return injectByBody(c, served, selector);
    if (selector.isSearch) return injectBySearch(c, served, selector);
    const fired = selector.selectFault(asMatchable(c, served), c.get('tenant'));
    return fired ? injectAfterBody(c, fired, served) : served.serve(c);
  };
}

const isBodilessMethod = (method: string): boolean => method === 'GET' || method === 'HEAD';

async function injectBySearch(c: AppContext, served: FaultableRoute, selector: FaultSelector): Promise<Response> {
  const fired = await finishInTurns(selector.selectFaultInSteps(asMatchable(c, served), c.get('tenant')));
  return fired ? injectAfterBody(c, fired, served) : served.serve(c);
}

/** Records the body first, also when no rule needed it to decide. */
async function injectAfterBody(c: AppContext, fired: InjectedFault, served: FaultableRoute): Promise<Response> {
  return (await recordRequestBody(c, served)) === undefined ? served.serve(c) : injectFault(c, fired, served);
}

async function injectByBody(c: AppContext, served: FaultableRoute, selector: FaultSelector): Promise<Response> {
  const text = await recordRequestBody(c, served);
  if (text === undefined) return served.serve(c);
  const request = asMatchable(c, served, text);
  const tenant = c.get('tenant');
  const fired =
    selector.isSearch || isLongText(text)
      ? await finishInTurns(selector.selectFaultInSteps(request, tenant))
      : selector.selectFault(request, tenant);
  return fired ? injectFault(c, fired, served) : served.serve(c);
}

/** Returns undefined for a request that never arrives in full: no fault can make that worse. */
async function recordRequestBody(c: AppContext, { endpoint }: FaultableRoute): Promise<string | undefined> {
  const text = await readAvailableBody(c, endpoint);
  if (text) recordBody(c.get('exchange'), text);
  return text;
}

function asMatchable(c: AppContext, { endpoint }: FaultableRoute, text = ''): IncomingRequest {
  c.get('exchange').endpoint = endpoint?.id;
  return new IncomingRequest(c, endpoint?.id, text);
}

/** Returns an empty text when the body can't be read: the endpoint rejects the request, unless a fault does before. */
async function readAvailableBody(c: AppContext, endpoint: Endpoint | undefined): Promise<string | undefined> {
  if (isBodilessMethod(c.req.method)) return '';
  const reading = readBody(c, endpoint?.bodyRules?.unreadable ?? 'InvalidJson');
  c.set('bodyText', reading);
  try {
    return await reading;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const isCutOff = error.code === 'PayloadTooLarge' || c.env?.incoming?.destroyed === true;
    return isCutOff ? undefined : '';
  }
}

async function injectFault(c: AppContext, fired: InjectedFault, served: FaultableRoute): Promise<Response> {
  const { fault } = fired;
  const exchange = c.get('exchange');
  exchange.fault = fired;
  c.get('tenant').journal.faulted.emit(exchange);
  const { released } = announceFault(c, fired);
  if (fault.phase === 'before') await awaitFaultDelay(c, fired, released);
  // A reset or a closing simulator released the request: nobody waits for the response.
  if (released.aborted) return new Response(null);
  const response = await faultedResponse(c, fired, served);
  // Nothing has been sent yet.
  exchange.status = exchange.delivered?.status;
  if (fault.phase === 'after') await awaitFaultDelay(c, fired, released);
  return response;
}

/** Waits in real time, or on the tenant's clock. */
function awaitFaultDelay(c: AppContext, { fault, delay }: InjectedFault, released: AbortSignal): Promise<void> {
  const tenant = c.get('tenant');
  if (fault.delay?.time !== 'virtual') return sleep(delay, released);
  return waitForClock(tenant, tenant.clock.now() + delay, released);
}

/** Hands the fault to the transport, which carries it out. */
function announceFault(c: AppContext, fired: InjectedFault): PendingFault {
  const [exchange, { holdSignal, settings }] = [c.get('exchange'), c.get('tenant')];
  // Any number of requests may be held at once.
  setMaxListeners(0, holdSignal);
  const pendingFault: PendingFault = {
    fired,
    released: holdSignal,
    garbage: (count) => seededBytes(settings.seed, `garbage/${fired.rule}/${fired.hit}`, count),
    onClientGone: () => {
      exchange.delivered ??= nothingDelivered('client-aborted');
      if (exchange.delivered.heldUntil === Infinity) exchange.delivered.heldUntil = monotonicNow();
    },
  };
  c.env?.onFaultDecided?.(pendingFault);
  return pendingFault;
}

/** Returns the response to send in part or not at all: the service's, that of a dry run, or the fault's own. */
async function faultedResponse(
  c: AppContext,
  fired: InjectedFault,
  { serve, respondToError, endpoint }: FaultableRoute,
): Promise<Response> {
  const exchange = c.get('exchange');
  const { fault } = fired;
  const isServed = fault.phase === 'after' || sourceOf(fault) === 'service' || needsServiceResponse(fault);
  const served = isServed ? await serveCatchingErrors(c, { serve, respondToError }) : undefined;
  if (isDryRun(fired)) exchange.response = undefined;
  return served === undefined || fault.status !== undefined ? faultResponse(c, fault, endpoint) : served;
}

/** Turns an error into its response: a fault hits that too. */
async function serveCatchingErrors(
  c: AppContext,
  { serve, respondToError }: Omit<FaultableRoute, 'endpoint'>,
): Promise<Response> {
  try {
    return await serve(c);
  } catch (error) {
    return respondToError(error, c);
  }
}

const sourceOf = ({ respond }: Fault): ResponseSource => faultKindOf(respond).source;

/** True when some of the service's response goes out. */
const needsServiceResponse = (fault: Fault): boolean => fault.status === undefined && sourceOf(fault) === 'either';

/** True when the endpoint only computes its response, and nothing is committed. */
export const isDryRun = ({ fault }: InjectedFault): boolean =>
  fault.phase === 'before' && sourceOf(fault) !== 'service';
