import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/build.ts', 'test/support/left-behind.ts'],
    setupFiles: ['test/support/hooks.ts'],
    // Ends what hangs; a machine that is busy with other things may take many times what a quiet one does. Less than
    // the 120 s after which a simulator gives up a request that does not arrive.
    testTimeout: 110_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 100_000 } },
    // Half of the tests wait for processes of their own, so that two cores have time for a third; files share what they
    // import, which costs more than they do.
    maxWorkers: 3,
    isolate: false,
    reporters: ['default'],
  },
});
