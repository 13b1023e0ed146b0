/** Gives each test of Jest a tenant of its own, and judges it at the end: `loyalty-sim/jest`. */
import type { SimOptions } from '../simulator/options.ts';
import type { Sim } from '../simulator/sim.ts';
import { checkJudgeOptions, judgeTenant, openSim, openTenant } from './judged-tenant.ts';
import type { JudgeOptions, TestTenant } from './judged-tenant.ts';

export { VerdictError } from './judged-tenant.ts';
export type { JudgeOptions, TestTenant } from './judged-tenant.ts';

type Hook = (run: () => Promise<void>) => void;

/** Holds the hooks that Jest has in each test file. */
type Hooks = Readonly<Record<'beforeAll' | 'afterAll' | 'beforeEach' | 'afterEach', Hook>>;

function globalHooks(): Hooks {
  // Jest declares them in packages that are not needed for anything else.
  const hooks = globalThis as unknown as Partial<Hooks>;
  const { beforeAll, afterAll, beforeEach, afterEach } = hooks;
  if (beforeAll && afterAll && beforeEach && afterEach) return { beforeAll, afterAll, beforeEach, afterEach };
  throw errorOf(
    'there is no global beforeEach: call useTenant in a test file, with hooks as globals (injectGlobals)',
    useTenant,
  );
}

/**
 * Registers hooks that open a tenant for each test of the file or of the `describe` around the call, and judge it when
 * the test has ended. Returns a function that gives a test its tenant: `const tenant = useTenant()`, and then
 * `sell(tenant().url)`. Tests that run at once (`test.concurrent`) would share it.
 */
export function useTenant(options: SimOptions = {}, judge: JudgeOptions = {}): () => TestTenant {
  const { beforeAll, afterAll, beforeEach, afterEach } = globalHooks();
  checkJudgeOptions(judge);
  let sim: Sim | undefined;
  let current: TestTenant | undefined;
  let isUsed = false;
  beforeAll(async () => {
    sim = await openSim(options);
  });
  beforeEach(async () => {
    current = sim && openTenant(sim);
    isUsed = false;
  });
  afterEach(async () => {
    const tenant = current;
    current = undefined;
    if (!sim || !tenant) return;
    try {
      if (isUsed) await judgeTenant(sim, tenant, judge);
    } finally {
      tenant.close();
    }
  });
  afterAll(async () => sim?.close());
  return function tenant() {
    if (!current) throw errorOf('there is no tenant: tenant() is called outside a test', tenant);
    isUsed = true;
    return current;
  };
}

/** Returns an error that points to the caller of a function, not to a line of the bundle. */
function errorOf(message: string, called: () => unknown): Error {
  const error = new Error(message);
  Error.captureStackTrace(error, called);
  return error;
}
