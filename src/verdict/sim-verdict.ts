import { InputError } from '../core/errors.ts';
import { defaultTenantName } from '../core/tenants.ts';
import type { Tenants } from '../core/tenants.ts';
import type { Expectation, ExpectationInput } from '../scenario/expectation-schema.ts';
import type { Verdict } from './verdict.ts';

interface VerdictOptions {
  /** Whose calls and state are judged; those of `default` unless given. */
  readonly tenant?: string;
  /** What is expected; that of the tenant's scenario unless given. */
  readonly expectations?: readonly ExpectationInput[];
}

export type SimVerdict = (options?: VerdictOptions) => Promise<Verdict>;

/** How a sim judges its tenants. Throws `InputError` for a tenant that there isn't, and for what can't be expected. */
export const simVerdict =
  (tenants: Tenants): SimVerdict =>
  async ({ tenant: name = defaultTenantName, expectations } = {}) => {
    const tenant = tenants.get(name);
    if (!tenant) throw new InputError(`There is no tenant "${name}"; the first call to /t/${name} makes one.`);
    // No start waits for what judges.
    const { judge, judgeScenario } = await import('./judge.ts');
    return expectations ? judge(tenant, await readExpectations(expectations)) : judgeScenario(tenant);
  };

async function readExpectations(sent: readonly ExpectationInput[]): Promise<Expectation[]> {
  const { schemaFindings } = await import('../scenario/findings.ts');
  const { expectationListSchema } = await import('../scenario/expectation-schema.ts');
  const { pathText } = await import('../core/fields.ts');
  const findings = schemaFindings(expectationListSchema, sent);
  if (findings.length === 0) return expectationListSchema.parse(sent);
  throw new InputError(findings.map(({ path, message }) => `expectations${pathText(path)} ${message}`).join('\n'));
}
