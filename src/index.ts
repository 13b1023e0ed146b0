export { createSim } from './sim.ts';
export type { Sim, SimOptions } from './sim.ts';
