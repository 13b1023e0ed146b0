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
    // More than half of the tests wait: for processes of their own, or for pauses of clients. So two cores have time for
    // four; files share what they import, which costs more than they do.
    maxWorkers: 4,
    isolate: false,
    reporters: ['default'],
  },
});
