/** Gives tests a simulator and a tenant each, and judges the tenant when its test has ended. */
import { InputError } from '../core/lib/input-error.ts';
import { rejectRenamedMembers } from '../core/lib/renamed-names.ts';
import { redact } from '../core/exchange/redact.ts';
import { checkOptions, checkWord, kinds } from '../core/lib/argument-checks.ts';
import { createSim } from '../simulator/create-sim.ts';
import type { SimOptions } from '../simulator/options.ts';
import { hasExpectations } from '../simulator/sim-verdict.ts';
import type { Sim } from '../simulator/sim.ts';
import type { SimTenant } from '../simulator/tenant-handle.ts';
import { formatVerdict } from '../verdict/report/text.ts';
import { verdictStatuses } from '../verdict/status.ts';
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

  constructor(tenant: string, verdict: Verdict, accept: readonly VerdictStatus[] = onlyPass) {
    const lines = formatVerdict(verdict, { most: mostOperations }).map(redact);
    const unaccepted = accept === onlyPass ? '' : `, and accept lists ${accept.join(', ')}`;
    const status = `the verdict on tenant ${tenant} is ${verdict.verdict}${unaccepted}`;
    super([`${status}: ${redact(verdict.reason)}`, ...lines].join('\n'));
    this.verdict = verdict;
    // Where it is thrown says nothing, and runners would show that line of the bundle.
    this.stack = `${this.name}: ${this.message}`;
  }
}

const onlyPass: readonly VerdictStatus[] = ['PASS'];

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

/** Throws `InputError` for options that judge nothing, such as an `accept` without a verdict. */
export function checkJudgeOptions(options: JudgeOptions = {}): void {
  checkOptions('judge', options, { accept: kinds.list, clientEnded: kinds.flag });
  const { accept = onlyPass } = options;
  if (accept.length === 0) throw new InputError('judge: accept: must name at least one verdict');
  for (const status of accept) checkWord('judge: accept', status, verdictStatuses);
}

/** Runs a test in a tenant of its own, judges it, and deletes it. Throws `VerdictError` for a verdict that is not accepted. */
export async function inTenant<Result>(
  sim: Sim,
  test: (tenant: TestTenant) => Promise<Result> | Result,
  options: JudgeOptions = {},
): Promise<Result> {
  checkJudgeOptions(options);
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
  return rejectRenamedMembers('tenant', { ...tenant, url });
}

/** Throws `VerdictError` for a verdict that is not accepted. A tenant without requests, rules and expectations is not judged. */
export async function judgeTenant(
  sim: Sim,
  { name }: Pick<TestTenant, 'name'>,
  { accept = onlyPass, clientEnded = true }: JudgeOptions = {},
): Promise<void> {
  const judged = sim.tenants.get(name);
  if (!judged) {
    process.emitWarning(`tenant ${name} is not judged: its test has deleted it. Leave that to the end of the test.`);
    return;
  }
  const verdict = await sim.verdict({ tenant: name, clientEnded });
  const { requests, evicted, rules } = verdict;
  if (requests + evicted + rules.length === 0 && !hasExpectations(judged)) return;
  if (!accept.includes(verdict.verdict)) throw new VerdictError(name, verdict, accept);
}
