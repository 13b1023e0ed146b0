/** Finds what the machine has to run tests in other languages. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

export const has = (program: string, ...args: readonly string[]): boolean => spawnSync(program, args).status === 0;

/** Names the Python that has pytest, which need not be the one that is found first. */
export const python = ['python3', '/usr/bin/python3'].find((name) => has(name, '-m', 'pytest', '--version'));

/** Lists what JUnit 5 with its console consists of, as Debian has it. */
const jars = [
  'junit-jupiter-api',
  'junit-jupiter-engine',
  'junit-platform-commons',
  'junit-platform-console',
  'junit-platform-engine',
  'junit-platform-launcher',
  'junit-platform-reporting',
  'opentest4j',
  'apiguardian-api',
  'picocli',
].map((name) => `/usr/share/java/${name}.jar`);

/** Says where Java finds JUnit 5; undefined where one of them is not there. */
export const junitClassPath =
  jars.every((jar) => existsSync(jar)) && has('javac', '-version') ? jars.join(':') : undefined;

export const hasMono = has('mcs', '--version') && has('mono', '--version');
