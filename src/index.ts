export { createMaster } from './master/master.ts';
export type { Master, MasterOptions } from './master/master.ts';
export { defineScenario } from './scenario/define.ts';
export type { ScenarioInput } from './scenario/scenario-schema.ts';
export { createSim } from './sim.ts';
export type { Sim, SimOptions } from './sim.ts';
export type { SimClock } from './sim-clock.ts';
export type { SimFetch, SimTenant } from './sim-tenant.ts';
export type { Verdict } from './verdict/verdict.ts';
