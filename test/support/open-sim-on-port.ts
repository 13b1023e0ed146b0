/** Opens simulators that listen, for tests of sockets; `npm run test:unit` leaves out what imports this file. */
import { onTestFinished } from 'vitest';
import type { SimOptions } from '../../src/simulator/options.ts';
import { clientOf } from './client.ts';
import type { Client } from './client.ts';
import { startSim } from './open-sim.ts';

/** Opens a simulator on the default fixture that also listens on a free port; closed when the test is over. */
export async function openSimOnPort(
  options: SimOptions = {},
): Promise<Client & { readonly url: string; readonly port: number }> {
  const sim = await startSim(options);
  onTestFinished(() => sim.close());
  const { url, port } = await sim.listen();
  return { ...clientOf(sim), url, port };
}
