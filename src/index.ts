export { createMaster } from './master/master.ts';
export type { Master, MasterOptions } from './master/master.ts';
export { createSim } from './sim.ts';
export type { Sim, SimOptions } from './sim.ts';
