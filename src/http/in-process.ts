import type { Hono } from 'hono';
import type { Env } from './context.ts';

/** Answers a call in process; what a fault says of its answer is met as by a caller of `fetch`. */
export async function fetchInProcess(app: Hono<Env>, request: Request): Promise<Response> {
  const env: Env['Bindings'] = {};
  const answer = await app.fetch(request, env);
  const { delivery } = env;
  if (!delivery) return answer;
  const { respond } = delivery.fired.fault;
  if (respond === 'full' || respond === 'status') return answer;
  throw new TypeError('fetch failed');
}
