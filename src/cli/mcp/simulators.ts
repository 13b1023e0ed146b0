/** Holds the simulators that tools talk to: those started here, and one that ran before. */
import { loadConfig } from '../../config/config.ts';
import type { Flags } from '../../config/config.ts';
import { redactedText } from '../../core/exchange/redaction.ts';
import { InputError } from '../../core/lib/input-error.ts';
import { didYouMean } from '../../core/lib/suggest.ts';
import type { MergedScenario } from '../../scenario/merge.ts';
import type { Sim } from '../../simulator/sim.ts';
import { planScenario, simOptions } from '../flags/scenario-plan.ts';
import { clientVariables } from '../process/judged-run.ts';
import { adminClient, resolveTarget } from '../remote/admin-client.ts';
import type { AdminClient, RemoteFlags } from '../remote/admin-client.ts';

/** Describes a simulator that tools can talk to. */
export interface KnownSimulator {
  readonly id: string;
  readonly url: string;
  readonly adminUrl: string;
  /** True for a simulator that ran before, and goes on when we end. */
  readonly isAttached: boolean;
  /** Names the variables by which a client finds it, without keys of the control API. */
  readonly environment: Readonly<Record<string, string>>;
}

interface Known extends KnownSimulator {
  readonly flags: RemoteFlags;
  readonly close: () => Promise<void>;
}

/** Names a simulator and a tenant of it. */
interface Target {
  readonly simulator?: string | undefined;
  readonly tenant?: string | undefined;
}

interface StartOptions {
  readonly flags: Flags;
  readonly scenario: MergedScenario | undefined;
}

export interface StartedSimulator {
  readonly simulator: KnownSimulator;
  readonly notes: readonly string[];
}

/** Tells a key from a word that occurs by itself, in characters. */
const minKeyLength = 6;

/** Limits the simulators of one server. */
const maxStarted = 20;

export class Simulators {
  readonly #known = new Map<string, Known>();
  /** Holds keys of control APIs, which no result may show. */
  readonly #keys = new Set<string>();
  #started = 0;
  #isClosed = false;

  /** Adds one that runs already. Throws `InputError` for what is no address. */
  attach(flags: RemoteFlags): void {
    const { base, tenant, adminKey } = resolveTarget(flags);
    const url = tenant === undefined ? base : `${base}/t/${tenant}`;
    this.#noteKey(adminKey);
    this.#known.set('attached', {
      id: 'attached',
      url,
      adminUrl: `${base}/__admin`,
      isAttached: true,
      environment: { LOYALTY_SIM_URL: url, LOYALTY_SIM_ADMIN_URL: `${base}/__admin` },
      flags: { url: base, adminKey, tenant },
      close: async () => {},
    });
  }

  /** Starts one in this process (default: on any free port). */
  async start({ flags, scenario }: StartOptions): Promise<StartedSimulator> {
    if (this.#owned().length >= maxStarted)
      throw new InputError(`${maxStarted} simulators run, the most that one server starts; stop one first.`);
    const config = loadConfig({ flags: { log: 'silent', ...flags } });
    const plan = await planScenario(config, flags, scenario);
    const { createSim } = await import('../../simulator/create-sim.ts');
    const sim: Sim = await createSim({ ...simOptions({ ...config, data: undefined }, () => {}), ...plan.options });
    try {
      const { url } = await sim.listen({ port: flags['port'] === undefined ? 0 : config.port });
      if (this.#isClosed) throw new InputError('The server is ending.');
      const { LOYALTY_SIM_ADMIN_KEY: adminKey, ...variables } = clientVariables(url, config);
      // Without a configured one any key is accepted, so that the key in the variables is none.
      const environment = { ...variables, ...(config.apiKeys.length > 0 && { LOYALTY_SIM_API_KEY: redactedText }) };
      this.#noteKey(adminKey);
      const id = `sim-${++this.#started}`;
      const known: Known = {
        id,
        url,
        adminUrl: `${url}/__admin`,
        isAttached: false,
        environment,
        flags: { url, adminKey },
        close: () => sim.close(),
      };
      this.#known.set(id, known);
      const left = config.data === undefined ? [] : ['data is left out: it keeps nothing when it stops'];
      return { simulator: describe(known), notes: [...plan.notes, ...left] };
    } catch (error) {
      await sim.close();
      throw error;
    }
  }

  list(): KnownSimulator[] {
    return [...this.#known.values()].map(describe);
  }

  /** Stops one that was started here. Throws `InputError` for another. */
  async stop(id: string | undefined): Promise<KnownSimulator> {
    const known = this.#find(id);
    if (known.isAttached) throw new InputError('simulator: "attached" was not started here; stop it where it runs.');
    this.#known.delete(known.id);
    await known.close();
    return describe(known);
  }

  /** Returns what sends control calls to a simulator and a tenant of it. */
  callerOf({ simulator, tenant }: Target): AdminClient {
    const { flags } = this.#find(simulator);
    return adminClient({ ...flags, tenant: tenant ?? flags.tenant });
  }

  /** Returns the text without the keys of its simulators. */
  withoutKeys(text: string): string {
    return [...this.#keys].reduce((kept, key) => kept.replaceAll(key, redactedText), text);
  }

  /** Stops all that were started here. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#owned().map(({ close }) => close()));
  }

  #noteKey(key: string | undefined): void {
    if (key !== undefined && key.length >= minKeyLength) this.#keys.add(key);
  }

  #owned(): Known[] {
    return [...this.#known.values()].filter(({ isAttached }) => !isAttached);
  }

  #find(id: string | undefined): Known {
    const ids = [...this.#known.keys()];
    if (ids.length === 0) throw new InputError('No simulator runs: start one with start_simulator.');
    const [only = ''] = ids;
    if (id === undefined && ids.length > 1) throw new InputError(`simulator: name one of ${ids.join(', ')}`);
    const known = this.#known.get(id ?? only);
    if (known) return known;
    throw new InputError(
      `simulator: there is no "${id}"${didYouMean(id ?? '', ids) || `; there are ${ids.join(', ')}`}`,
    );
  }
}

const describe = ({ id, url, adminUrl, isAttached, environment }: Known): KnownSimulator => ({
  id,
  url,
  adminUrl,
  isAttached,
  environment,
});
