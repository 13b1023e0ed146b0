/** Gives tests a simulator and a tenant each, and judges the tenant when its test has ended. */
import { redact } from '../core/exchange/redact.ts';
import { createSim } from '../simulator/create-sim.ts';
import type { SimOptions } from '../simulator/options.ts';
import type { Sim } from '../simulator/sim.ts';
import type { SimTenant } from '../simulator/tenant-handle.ts';
import { formatVerdict } from '../verdict/report/text.ts';
import type { VerdictStatus } from '../verdict/status.ts';
import type { Verdict } from '../verdict/verdict.ts';

/** Is a retailer for one test, which is served under a base URL of its own. */
export interface TestTenant extends SimTenant {
  readonly url: string;
}

/** Says how a tenant is judged at the end of its test. */
export interface JudgeOptions {
  /** Lists the verdicts that pass (default: PASS alone). */
  readonly accept?: readonly VerdictStatus[];
  /** Says that the client does nothing more once its test has ended (default: true). */
  readonly clientEnded?: boolean;
}

/** Is thrown at the end of a test whose client, or whose scenario, did not do what it should. */
export class VerdictError extends Error {
  override readonly name = 'VerdictError';
  readonly verdict: Verdict;

  constructor(tenant: string, verdict: Verdict) {
    const lines = formatVerdict(verdict, { most: mostOperations }).map(redact);
    super([`the verdict on tenant ${tenant} is ${verdict.verdict}: ${redact(verdict.reason)}`, ...lines].join('\n'));
    this.verdict = verdict;
    // Where it is thrown says nothing, and runners would show that line of the bundle.
    this.stack = `${this.name}: ${this.message}`;
  }
}

/** Limits the operations that an error shows. */
const mostOperations = 5;

/** Creates a simulator that is served on any free port of this machine. Throws `InputError` for invalid options. */
export async function openSim(options: SimOptions = {}): Promise<Sim> {
  const sim = await createSim(options);
  await sim.listen();
  return sim;
}

/** Opens a simulator for some work, and closes it afterwards. */
export async function withSim(options: SimOptions, work: (sim: Sim) => Promise<void>): Promise<void> {
  const sim = await openSim(options);
  try {
    await work(sim);
  } finally {
    await sim.close();
  }
}

/** Runs a test in a tenant of its own, judges it, and deletes it. Throws `VerdictError` for a verdict that is not accepted. */
export async function inTenant<Result>(
  sim: Sim,
  test: (tenant: TestTenant) => Promise<Result> | Result,
  options: JudgeOptions = {},
): Promise<Result> {
  const tenant = openTenant(sim);
  try {
    const result = await test(tenant);
    await judgeTenant(sim, tenant, options);
    return result;
  } finally {
    tenant.close();
  }
}

/** Opens a tenant of a served simulator. */
export function openTenant(sim: Sim): TestTenant {
  const tenant = sim.tenant();
  const { url } = tenant;
  if (url === undefined) throw new Error(`tenant ${tenant.name} has no address: its simulator is not served`);
  return { ...tenant, url };
}

/** Throws `VerdictError` for a verdict that is not accepted. A tenant without requests and rules is not judged. */
export async function judgeTenant(
  sim: Sim,
  { name }: Pick<TestTenant, 'name'>,
  { accept = ['PASS'], clientEnded = true }: JudgeOptions = {},
): Promise<void> {
  // A test may delete its tenant.
  if (!sim.tenants.get(name)) return;
  const verdict = await sim.verdict({ tenant: name, clientEnded });
  if (verdict.requests + verdict.evicted + verdict.rules.length === 0) return;
  if (!accept.includes(verdict.verdict)) throw new VerdictError(name, verdict);
}
