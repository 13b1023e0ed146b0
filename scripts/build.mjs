/** Builds what the package ships: dist/cli.js, dist/index.js with their chunks, and the library's types. */
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';

const started = performance.now();

/** The server speaks HTTP/1.1 alone; loading Node's HTTP/2 for one `instanceof` would cost every start 5 ms. */
const withoutHttp2 = {
  name: 'without-http2',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^node:http2$/ }, () => ({ path: 'http2', namespace: 'stub' }));
    onLoad({ filter: /.*/, namespace: 'stub' }, () => ({
      contents: 'export class Http2ServerRequest {}\nexport const constants = {};',
    }));
  },
};

function emitTypes() {
  const tsc = spawn(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'], {
    stdio: 'inherit',
  });
  return new Promise((resolve, reject) => {
    tsc.on('error', reject);
    tsc.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`tsc ended with ${code}`))));
  });
}

/** The licences of what is bundled, as they ask for. */
function licences(inputs) {
  const folders = new Set(
    Object.keys(inputs).flatMap((path) => path.match(/^.*node_modules\/(?:@[^/]+\/)?[^/]+/)?.[0] ?? []),
  );
  return [...folders].toSorted().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
    const file = ['LICENSE', 'LICENSE.md', 'LICENSE.txt', 'license'].find((known) => existsSync(`${folder}/${known}`));
    const text = file === undefined ? '' : readFileSync(`${folder}/${file}`, 'utf8').trim();
    return `${name} ${version} (${license})\n\n${text}\n`;
  });
}

async function bundle() {
  const { metafile } = await build({
    entryPoints: { cli: 'src/cli/main.ts', index: 'src/index.ts' },
    outdir: 'dist',
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    // Large, and only read by `generate`.
    external: ['@faker-js/faker'],
    minifyWhitespace: true,
    minifySyntax: true,
    plugins: [withoutHttp2],
    // Some of what is bundled is CommonJS and requires Node's own modules.
    banner: {
      js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
    },
    metafile: true,
    logLevel: 'warning',
  });
  chmodSync('dist/cli.js', 0o755);
  writeFileSync('dist/licences.txt', licences(metafile.inputs).join(`\n${'-'.repeat(80)}\n\n`));
  if (process.argv.includes('--meta')) writeFileSync('dist/meta.json', JSON.stringify(metafile));
}

process.chdir(new URL('..', import.meta.url).pathname);
rmSync('dist', { recursive: true, force: true });
await Promise.all([bundle(), emitTypes()]);
console.error(`built dist in ${Math.round(performance.now() - started)} ms`);
