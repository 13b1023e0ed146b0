export { createPointMaster } from './point-master/point-master.ts';
export type { PointMaster, PointMasterOptions } from './point-master/point-master.ts';
export { defineScenario } from './scenario/define-scenario.ts';
export type { ScenarioInput } from './scenario/scenario-schema.ts';
export { createSim } from './simulator/create-sim.ts';
export type { Sim, SimOptions } from './simulator/create-sim.ts';
export type { SimClock } from './simulator/sim-clock.ts';
export type { SimFetch, SimTenant } from './simulator/tenant-handle.ts';
export type { Verdict } from './verdict/verdict.ts';
