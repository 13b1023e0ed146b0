export { createMaster } from './master/master.ts';
export type { Master, MasterOptions } from './master/master.ts';
export { defineScenario } from './scenario/define.ts';
export type { ScenarioInput } from './scenario/scenario-schema.ts';
export { createSim } from './sim.ts';
export type { Sim, SimOptions } from './sim.ts';
