#!/usr/bin/env node
/**
 * Runs the command from the code that V8 compiled when it was built. Compiling at every start would cost 20 ms; another
 * version of Node finds no such code and compiles.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { keptCodeOf } from '../package/kept-code.ts';
import { outdatedNode } from './process/node-version.ts';

const folder = import.meta.dirname;
const filename = join(folder, 'main.cjs');

function readCompileCache(text: Buffer): Buffer | undefined {
  try {
    return keptCodeOf(text, readFileSync(`${filename}.${process.versions.v8}-${process.arch}`));
  } catch {
    return undefined;
  }
}

function run(): void {
  const text = readFileSync(filename);
  // The build leaves ASCII alone in it, which Latin-1 reads without decoding.
  const script = new Script(text.toString('latin1'), { filename, cachedData: readCompileCache(text) });
  // The build wraps main.cjs into this function.
  script.runInThisContext()(createRequire(filename), folder);
}

const outdated = outdatedNode(process.versions.node);
if (outdated === undefined) run();
else {
  // Nothing of the command can be relied on there, not even what prints.
  process.stderr.write(`error: ${outdated}\n`);
  process.exitCode = 4;
}
