/**
 * Builds what the package ships: the command (dist/cli.cjs starts dist/main.cjs), the library (dist/library.cjs, and what
 * is imported of it) and its types.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { rolldown } from 'rolldown';
import { dts } from 'rolldown-plugin-dts';
import { keepCompiled } from './compile-cache.mjs';
import { licenceName, licenceText } from './licence-text.mjs';

const started = performance.now();

/** Holds the build until it is put in place at once, so that who runs the last one isn't left without half of it. */
const folder = `node_modules/.cache/loyalty-sim/dist-${process.pid}`;

const shared = {
  outdir: folder,
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  // Large, and only read by rules with a pattern.
  external: ['re2js'],
  minifyWhitespace: true,
  minifySyntax: true,
  metafile: true,
  logLevel: 'warning',
};

/**
 * Bundles by itself what hardly anybody loads: servers for files and for agents, and what generates fixtures. Each
 * becomes a file.
 */
const vendored = {
  ssh2: { file: 'ssh2.cjs', contents: "module.exports = require('ssh2')" },
  'ftp-srv': { file: 'ftp-srv.cjs', contents: "module.exports = require('ftp-srv')" },
  './faker-locales.ts': { file: 'faker.cjs', contents: "export * from './src/storage/generate/faker-locales.ts'" },
  './sdk.ts': { file: 'mcp-sdk.cjs', contents: "export * from './src/cli/mcp/sdk.ts'" },
};

/** Lets a bundle load these from where they lie, seen from it. */
const loadVendored = (from) => ({
  name: 'load-vendored',
  setup: ({ onResolve }) => {
    onResolve({ filter: /^(?:ssh2|ftp-srv|\.\/(?:faker-locales|sdk)\.ts)$/ }, ({ path }) => ({
      path: `${from}/${vendored[path].file}`,
      external: true,
    }));
  },
});

/** Leaves out what the SDK checks the responses of people with, whom no tool asks anything. */
const withoutValidator = {
  name: 'without-validator',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^@modelcontextprotocol\/server\/_shims$/ }, () => ({ path: 'shims', namespace: 'mcp' }));
    onLoad({ filter: /^shims$/, namespace: 'mcp' }, () => ({
      contents:
        "export { default as process } from 'node:process'; export class DefaultJsonSchemaValidator { getValidator() { throw new Error('No schema is checked here.'); } }",
    }));
  },
};

const buildVendored = () =>
  Promise.all(
    Object.values(vendored).map(({ file, contents }) =>
      build({
        ...shared,
        outdir: undefined,
        outfile: `${folder}/chunks/${file}`,
        stdin: { contents, resolveDir: '.' },
        format: 'cjs',
        minify: true,
        plugins: [withoutValidator],
        // Faster ciphers, traces and log files: all of them optional.
        external: ['cpu-features', '*.node', 'dtrace-provider', 'mv', 'safe-json-stringify', 'source-map-support'],
      }),
    ),
  );

/** Some of what is bundled is CommonJS and requires Node's own modules. */
const requireBanner = {
  js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);",
};

/** Matches the declarations for Jest, and those of what it shares with other runners. */
const forCommonJs = /^(?:jest|types-judged-tenant)\.d\.ts$/;

/** Returns declarations as CommonJS has them: it imports all other types as those of a module. */
const commonJsTypes = (text) =>
  text
    .replaceAll('"./types-judged-tenant.js"', '"./types-judged-tenant.cjs"')
    .replaceAll(/^import (\{.*\} from "\.\/.*\.js");$/gm, 'import type $1 with { "resolution-mode": "import" };');

/**
 * Limits the line that threw an error which nobody caught, and which Node shows before its message: let it not fill the
 * screen.
 */
const longestLine = 160;

/** Names the runners of tests, which whoever uses them has installed. */
const runners = ['vitest', '@playwright/test'];

/** Builds the library: one file, whose parts that are loaded on demand are run on demand. */
const buildLibrary = () =>
  build({
    ...shared,
    lineLimit: longestLine,
    outdir: undefined,
    outfile: `${folder}/library.cjs`,
    stdin: {
      contents: "export * from './src/index.ts'; export * from './src/testing/judged-tenant.ts'",
      resolveDir: '.',
    },
    format: 'cjs',
    plugins: [loadVendored('./chunks')],
    supported: { 'dynamic-import': false },
    define: { 'import.meta.url': '__url' },
    banner: { js: "'use strict';const __url=require('node:url').pathToFileURL(__filename).href;" },
  });

/** Lets an entry take what it imports from the one file of the library, so that all entries share it. */
const fromLibrary = {
  name: 'from-library',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^\.\.?\/.*\.ts$/ }, ({ kind }) =>
      kind === 'entry-point' ? undefined : { path: 'library', namespace: 'library' },
    );
    // Node would read all of its text for its names if a module imported them.
    onLoad({ filter: /^library$/, namespace: 'library' }, () => ({
      contents: "module.exports = require('./library.cjs')",
    }));
  },
};

const entry = { ...shared, external: [...shared.external, ...runners, './library.cjs'], plugins: [fromLibrary] };

/** Builds what a program or a test imports. Jest loads no ES modules unless a flag of Node says so. */
const buildEntries = () =>
  Promise.all([
    build({
      ...entry,
      entryPoints: {
        index: 'src/index.ts',
        vitest: 'src/testing/vitest.ts',
        playwright: 'src/testing/playwright.ts',
        'node-test': 'src/testing/node-test.ts',
      },
      format: 'esm',
      banner: requireBanner,
    }),
    build({
      ...entry,
      entryPoints: { jest: 'src/testing/jest.ts' },
      outExtension: { '.js': '.cjs' },
      format: 'cjs',
    }),
  ]);

/** Builds the client of the control API: one file, of which ES modules can import names as well. */
const buildControlClient = () =>
  build({
    ...shared,
    entryPoints: { control: 'src/control/control.ts' },
    outExtension: { '.js': '.cjs' },
    format: 'cjs',
  });

/**
 * Builds the scripts and styles of the dashboard and of the docs page, which stand in their pages
 * (src/admin/views/pages.ts).
 */
const buildDashboard = () =>
  build({
    ...shared,
    outdir: `${folder}/dashboard`,
    entryPoints: [
      { in: 'src/dashboard/main.ts', out: 'main' },
      { in: 'src/dashboard/style.css', out: 'main' },
      { in: 'src/dashboard/docs/main.ts', out: 'docs' },
      { in: 'src/dashboard/docs/style.css', out: 'docs' },
    ],
    minify: true,
    platform: 'browser',
    target: 'es2023',
    format: 'iife',
    external: [],
  });

/** Builds one file: parts that are loaded on demand are run on demand. */
const buildCommand = () =>
  build({
    ...shared,
    minify: true,
    entryPoints: { main: 'src/cli/main.ts' },
    outExtension: { '.js': '.cjs' },
    format: 'cjs',
    plugins: [loadVendored('./chunks')],
    // V8 can't bring dynamic imports back from kept code; `require` loads what is external as well.
    supported: { 'dynamic-import': false },
    define: { 'import.meta.url': '__url' },
    banner: {
      js: "(function(require,__dirname){'use strict';const __url=require('node:url').pathToFileURL(__dirname+'/main.cjs').href;",
    },
    footer: { js: '})' },
  });

// CommonJS, since Node loads that faster.
const buildBoot = () =>
  build({
    ...shared,
    entryPoints: { cli: 'src/cli/boot.ts' },
    outExtension: { '.js': '.cjs' },
    format: 'cjs',
    define: { 'import.meta.dirname': '__dirname' },
  });

/** Checks the built-in fixtures once for all starts (src/storage/fixtures/prevalidated-fixture.ts). */
async function checkBuiltInFixtures() {
  const outfile = `${folder}/checked-fixture.mjs`;
  const entryPoints = ['src/storage/fixtures/prevalidated-fixture.ts'];
  await build({ ...shared, outdir: undefined, outfile, entryPoints, format: 'esm', banner: requireBanner });
  const { prevalidateFixtures } = await import(pathToFileURL(outfile).href);
  for (const [name, text] of Object.entries(prevalidateFixtures())) writeFileSync(`${folder}/${name}`, text);
  rmSync(outfile);
}

/** Escapes what isn't ASCII in a bundle, which Node then reads without decoding it; esbuild leaves it in patterns. */
function toAscii(filename) {
  const text = readFileSync(filename, 'utf8');
  const raw = text.match(/String\.raw`[^`]*[^`\0-\x7f]/u)?.[0];
  if (raw !== undefined) throw new Error(`String.raw can't be escaped: ${raw}`);
  writeFileSync(filename, text.replaceAll(/[^\0-\x7f]/g, escaped));
}

const escaped = (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Writes the types of each entry, which hold those of zod and Hono too: nobody installs these for types alone. */
async function emitTypes() {
  const parts = `${folder}/types`;
  const args = ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json', '--outDir', parts];
  const [code] = await once(spawn(process.execPath, args, { stdio: 'inherit' }), 'exit');
  if (code !== 0) throw new Error(`tsc ended with ${code}`);
  const names = [
    'index',
    'control/control',
    'testing/vitest',
    'testing/playwright',
    'testing/node-test',
    'testing/jest',
  ];
  const types = await rolldown({
    input: Object.fromEntries(names.map((name) => [basename(name), `${parts}/${name}.d.ts`])),
    plugins: [dts({ dtsInput: true, tsconfig: false, resolver: 'oxc' })],
    external: [/^node:/, ...runners],
  });
  const { output } = await types.generate({ format: 'es', chunkFileNames: 'types-[name].d.ts' });
  for (const { fileName, code: text } of output) {
    // Zod tells the compiler to overlook the line that follows, which the bundler puts on the same one.
    // Indentation is a tenth of them.
    const declared = text.replaceAll(/(?=\/\*\* @ts-ignore)|(?<=@ts-ignore[^*]*\*\/)/g, '\n').replaceAll(/^ +/gm, '');
    // Imported from ES modules as well, as CommonJS.
    if (fileName === 'control.d.ts') {
      writeFileSync(`${folder}/control.d.cts`, declared);
      continue;
    }
    writeFileSync(`${folder}/${fileName}`, declared);
    if (!forCommonJs.test(fileName)) continue;
    writeFileSync(`${folder}/${fileName.replace('.ts', '.cts')}`, commonJsTypes(declared));
  }
  rmSync(parts, { recursive: true });
}

/** Returns the licences of what is bundled, as they ask for. */
function licences(inputs) {
  const packages = new Set(inputs.flatMap((path) => path.match(/^.*node_modules\/(?:@[^/]+\/)?[^/]+/)?.[0] ?? []));
  return [...packages].toSorted().map((path) => {
    const described = JSON.parse(readFileSync(`${path}/package.json`, 'utf8'));
    const { name, version } = described;
    return `${name} ${version} (${licenceName(described)})\n\n${licenceText(path, described)}\n`;
  });
}

function putInPlace() {
  const last = `${folder}-last`;
  if (existsSync('dist')) renameSync('dist', last);
  renameSync(folder, 'dist');
  rmSync(last, { recursive: true, force: true });
}

process.chdir(new URL('..', import.meta.url).pathname);
const { engines } = JSON.parse(readFileSync('package.json', 'utf8'));
const [major, minor] = process.versions.node.split('.').map(Number);
const [neededMajor, neededMinor] = engines.node.match(/\d+/g).map(Number);
if (major < neededMajor || (major === neededMajor && minor < neededMinor)) {
  throw new Error(`this is Node ${process.versions.node}, and loyalty-sim needs ${engines.node}: take a newer one`);
}
mkdirSync(folder, { recursive: true });
const [command, library, vendoredBundles] = await Promise.all([
  buildCommand(),
  buildLibrary(),
  buildVendored(),
  buildEntries(),
  buildBoot(),
  buildControlClient(),
  buildDashboard(),
  checkBuiltInFixtures(),
  emitTypes(),
]);
chmodSync(`${folder}/cli.cjs`, 0o755);
const inputs = [command, library, ...vendoredBundles].flatMap(({ metafile }) => Object.keys(metafile.inputs));
const notices = `loyalty-sim bundles parts of these packages:\n\n${licences(inputs).join(`\n${'-'.repeat(80)}\n\n`)}`;
writeFileSync('THIRD-PARTY-NOTICES', notices);
for (const name of ['main', 'library']) toAscii(`${folder}/${name}.cjs`);
await keepCompiled(`${folder}/main.cjs`);
putInPlace();
console.error(`built dist in ${Math.round(performance.now() - started)} ms`);
