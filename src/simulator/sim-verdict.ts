import { InputError } from '../core/lib/input-error.ts';
import { defaultTenantName } from '../core/tenant/registry.ts';
import type { TenantRegistry } from '../core/tenant/registry.ts';
import type { Expectation, ExpectationInput } from '../scenario/expectations/expectation-schema.ts';
import type { Verdict } from '../verdict/verdict.ts';

interface VerdictOptions {
  /** Whose calls and state are judged; those of `default` unless given. */
  readonly tenant?: string;
  /** What is expected; that of the tenant's scenario unless given. */
  readonly expectations?: readonly ExpectationInput[];
}

export type SimVerdict = (options?: VerdictOptions) => Promise<Verdict>;

/** How a sim judges its tenants. Throws `InputError` for a tenant that there isn't, and for what can't be expected. */
export const createSimVerdict =
  (tenants: TenantRegistry): SimVerdict =>
  async ({ tenant: name = defaultTenantName, expectations } = {}) => {
    const tenant = tenants.get(name);
    if (!tenant) throw new InputError(`There is no tenant "${name}"; the first call to /t/${name} makes one.`);
    // No start waits for what judges.
    const { judge, judgeScenario } = await import('../verdict/judge.ts');
    return expectations ? judge(tenant, await readExpectations(expectations)) : judgeScenario(tenant);
  };

async function readExpectations(sent: readonly ExpectationInput[]): Promise<Expectation[]> {
  const { validateAgainst: schemaFindings } = await import('../core/validation/schema-diagnostics.ts');
  const { expectationListSchema } = await import('../scenario/expectations/expectation-schema.ts');
  const { formatPath: pathText } = await import('../core/validation/unknown-fields.ts');
  const findings = schemaFindings(expectationListSchema, sent);
  if (findings.length === 0) return expectationListSchema.parse(sent);
  throw new InputError(findings.map(({ path, message }) => `expectations${pathText(path)} ${message}`).join('\n'));
}
