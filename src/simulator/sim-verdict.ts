import { InputError } from '../core/lib/input-error.ts';
import { defaultTenantName } from '../core/tenant/registry.ts';
import type { Tenant } from '../core/tenant/tenant.ts';
import type { TenantRegistry } from '../core/tenant/registry.ts';
import type { Expectation, ExpectationInput } from '../scenario/expectations/expectation-schema.ts';
import { scenarioOf } from '../scenario/scenario.ts';
import { warningCodeList } from '../service/warnings.ts';
import type { Verdict } from '../verdict/verdict.ts';
import { nextTurn } from '../core/time/steps.ts';
import { checkOptions, kinds } from '../core/lib/argument-checks.ts';

interface VerdictOptions {
  /** Names the tenant to judge (default: `default`). */
  readonly tenant?: string;
  /**
   * Lists what is expected, to be judged alone (default: the tenant's scenario, and how the client retried). With
   * `clientEnded` rules and retries are judged as well, with `failOnWarnings` warnings.
   */
  readonly expectations?: readonly ExpectationInput[];
  /** Says that the client has ended, so that it does not still wait for its next attempt (default: false). */
  readonly clientEnded?: boolean;
  /** Lists the codes of warnings that fail the verdict, or `all` (default: the option of `createSim`). */
  readonly failOnWarnings?: readonly string[];
  /** Names the tenant in which the same work was done without faults: its state is what is expected. */
  readonly reference?: string;
}

/** True when the scenario of a tenant has expectations. */
export const hasExpectations = (tenant: Tenant): boolean => (scenarioOf(tenant).spec.expectations ?? []).length > 0;

export type SimVerdict = (options?: VerdictOptions) => Promise<Verdict>;

const verdictOptions = {
  tenant: kinds.text,
  expectations: kinds.list,
  clientEnded: kinds.flag,
  failOnWarnings: kinds.list,
  reference: kinds.text,
};

/** Creates the verdict of a sim. It throws `InputError` for an unknown tenant, and for invalid options or expectations. */
export const createSimVerdict =
  (tenants: TenantRegistry): SimVerdict =>
  async (given = {}) => {
    checkOptions('verdict', given, verdictOptions);
    const { tenant: name = defaultTenantName, expectations, clientEnded, failOnWarnings } = given;
    const { reference: referenceName } = given;
    const tenant = getTenant(tenants, name);
    const reference = referenceName === undefined ? undefined : getTenant(tenants, referenceName);
    // Imported here, so that no start waits for the judge.
    const { judge, judgeScenario } = await import('../verdict/judge.ts');
    // The first time, that took a while: others have their turn before the judging, which takes one too.
    await nextTurn();
    const options = { clientEnded, reference, failOnWarnings: validCodes(failOnWarnings) };
    const verdict = expectations
      ? judge(tenant, await readExpectations(expectations), options)
      : judgeScenario(tenant, options);
    // What a test does next is not to begin in this turn: it would seem to have waited for the judging.
    await nextTurn();
    return verdict;
  };

function getTenant(tenants: TenantRegistry, name: string): Tenant {
  const tenant = tenants.get(name);
  if (!tenant) throw new InputError(`There is no tenant "${name}"; the first request to /t/${name} creates it.`);
  return tenant;
}

async function readExpectations(given: readonly ExpectationInput[]): Promise<Expectation[]> {
  const { validateAgainst } = await import('../core/validation/schema-diagnostics.ts');
  const { expectationListSchema } = await import('../scenario/expectations/expectation-schema.ts');
  const { formatPath } = await import('../core/validation/unknown-fields.ts');
  const diagnostics = validateAgainst(expectationListSchema, given);
  if (diagnostics.length === 0) return expectationListSchema.parse(given);
  throw new InputError(diagnostics.map(({ path, message }) => `expectations${formatPath(path)} ${message}`).join('\n'));
}

function validCodes(given: readonly string[] | undefined): readonly string[] | undefined {
  const [wrong] = warningCodeList.optional().safeParse(given).error?.issues ?? [];
  if (wrong) throw new InputError(`failOnWarnings ${wrong.message}`);
  return given;
}
