/** What the machine has to run tests in other languages. */
import { spawnSync } from 'node:child_process';

export const has = (program: string, ...args: readonly string[]): boolean => spawnSync(program, args).status === 0;

/** The Python that has pytest, which need not be the one that is found first. */
export const python = ['python3', '/usr/bin/python3'].find((name) => has(name, '-m', 'pytest', '--version'));
