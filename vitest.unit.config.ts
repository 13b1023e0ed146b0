/** `npm run test:unit`: the tests that run in their own process and within seconds. */
import { defineConfig, mergeConfig } from 'vitest/config';
import { unitFiles } from './test/support/unit-files.ts';
import all from './vitest.config.ts';

const setup = {
  globalSetup: ['test/support/left-behind.ts'],
  setupFiles: ['test/support/hooks.ts', 'test/support/in-process.ts'],
};

export default mergeConfig(
  // What is merged is added to these lists, so they are emptied first.
  defineConfig({ ...all, test: { ...all.test, include: [], globalSetup: [], setupFiles: [] } }),
  defineConfig({ test: { include: unitFiles(), ...setup } }),
);
