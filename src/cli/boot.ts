#!/usr/bin/env node
/**
 * Runs the command from the code that V8 compiled when it was built. Compiling at every start would cost 20 ms; another
 * version of Node finds no such code and compiles.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { keptCodeOf } from '../package/kept-code.ts';
import { outdatedNode } from './process/node-version.ts';

const folder = import.meta.dirname;
const filename = join(folder, 'main.cjs');

/** Declares what Node 20 has, and the types of its JavaScript have not. */
interface ResizableMemory extends ArrayBuffer {
  readonly resize: (length: number) => void;
}

/** Holds files as they are read. Its memory goes back at once: 3 MB would wait for the next full collection. */
const memory = Reflect.construct(ArrayBuffer, [0, { maxByteLength: 16_000_000 }]) as ResizableMemory;

/** Reads a file behind what has been read, at a multiple of eight. */
function read(path: string): Buffer {
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    const start = Math.ceil(memory.byteLength / 8) * 8;
    memory.resize(start + size);
    const bytes = Buffer.from(memory, start, size);
    for (let done = 0; done < size;) {
      const more = readSync(file, bytes, done, size - done, null);
      if (more === 0) throw new Error(`${path} is shorter than it was`);
      done += more;
    }
    return bytes;
  } finally {
    closeSync(file);
  }
}

function readCompileCache(text: Buffer): Buffer | undefined {
  try {
    return keptCodeOf(text, read(`${filename}.${process.versions.v8}-${process.arch}`));
  } catch {
    return undefined;
  }
}

function compile(): Script {
  const text = read(filename);
  // The build leaves ASCII alone in it, which Latin-1 reads without decoding.
  const script = new Script(text.toString('latin1'), { filename, cachedData: readCompileCache(text) });
  memory.resize(0);
  return script;
}

function run(): void {
  // The build wraps dist/main.cjs into this function.
  compile().runInThisContext()(createRequire(filename), folder);
}

const outdated = outdatedNode(process.versions.node);
if (outdated === undefined) run();
else {
  // Nothing of the command can be relied on there, not even what prints.
  process.stderr.write(`error: ${outdated}\n`);
  process.exitCode = 4;
}
