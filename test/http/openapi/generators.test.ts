/** Linters and generators of clients take the documents as they are, and compilers what they generate. */
import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { buildOpenApi } from '../../../src/http/openapi/openapi-document.ts';
import { serviceDocument, toOpenApi30 } from '../../../src/http/openapi/openapi-variants.ts';
import type { OpenApiDocument } from '../../../src/http/openapi/openapi-variants.ts';
import { adminEndpoints } from '../../../src/admin/endpoints.ts';
import { endpoints } from '../../../src/service/endpoints.ts';
import { folderWith, tidyFolders } from '../../support/folders.ts';

afterEach(tidyFolders);

const run = promisify(execFile);

/** Holds tools that are no dependencies of the project; `.ci/run` installs them. */
const tools = process.env['CI_TOOLS'] ?? '';
const hasTools = existsSync(join(tools, 'node_modules/orval'));

const address = { serverUrl: 'http://127.0.0.1:4010', version: '1.2.3' };
const whole = buildOpenApi({ endpoints, adminEndpoints, ...address }) as OpenApiDocument;
const service = serviceDocument(whole);

/** Has an example of a wrong type, which each linter has to find. */
const broken = {
  ...service,
  paths: {
    '/stores': {
      get: {
        operationId: 'listStores',
        summary: 'Lists stores',
        description: 'All of them.',
        tags: ['Points'],
        parameters: [{ name: 'limit', in: 'query', schema: { type: 'integer' }, example: '20' }],
        responses: { 200: { description: 'Found' }, 400: { description: 'Refused' } },
      },
    },
  },
};

describe.skipIf(!hasTools)('generators of clients, where CI_TOOLS names them,', { timeout: 600_000 }, () => {
  it('in TypeScript take each document without a word, and tsc what they write', async () => {
    const documents = { service, service30: toOpenApi30(service), whole, broken };
    const folder = folderWith();
    for (const [name, document] of Object.entries(documents)) {
      writeFileSync(join(folder, `${name}.json`), JSON.stringify(document));
    }
    const runner = join(tools, 'generators.mjs');
    copyFileSync('test/http/openapi/generators.mjs', runner);
    const { stdout, stderr } = await run(process.execPath, [runner, folder]);
    expect(stderr).toBe('');
    const { broken: found, ...said } = JSON.parse(stdout.split('\n').at(-1) ?? '') as Readonly<
      Record<string, readonly string[]>
    >;
    expect(said).toEqual({ service30: [], whole: [] });
    expect(found?.some((one) => one.startsWith('redocly no-invalid-parameter-examples'))).toBe(true);
    expect(found?.some((one) => one.startsWith('spectral oas3-valid-media-example'))).toBe(true);

    const compilerOptions = {
      strict: true,
      noEmit: true,
      target: 'es2022',
      module: 'esnext',
      moduleResolution: 'bundler',
      lib: ['es2022', 'dom', 'dom.iterable'],
      types: [],
    };
    const include = ['service', 'service30', 'whole'];
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include }));
    const tsc = resolve('node_modules/typescript/bin/tsc');
    const listed = await run(process.execPath, [tsc, '-p', folder, '--listFilesOnly']);
    for (const name of include) expect(listed.stdout).toContain(`/${name}/orval.ts`);
    const compiled = await run(process.execPath, [tsc, '-p', folder]).catch((error: { stdout: string }) => error);
    expect(compiled.stdout).toBe('');
  });

  const jar = join(tools, 'node_modules/@openapitools/openapi-generator-cli/bin/openapi-generator.jar');
  const jackson = ['annotations', 'core', 'databind'].map((name) => `/usr/share/java/jackson-${name}.jar`);

  it.skipIf(![jar, ...jackson].every((path) => existsSync(path)))(
    'in Java, of an older one that knows 3.0 alone, take the document of the service, and javac what they write',
    async () => {
      const folder = folderWith({ 'service30.json': toOpenApi30(service) });
      const target = join(folder, 'client');
      mkdirSync(target);
      const options = ['--library', 'native', '--additional-properties', 'openApiNullable=false'];
      const input = ['generate', '-g', 'java', ...options, '-i', join(folder, 'service30.json'), '-o', target];
      const { stdout, stderr } = await run('java', ['-XX:TieredStopAtLevel=1', '-jar', jar, ...input]);
      expect(`${stdout}${stderr}`.split('\n').filter((line) => /WARN|ERROR/.test(line))).toEqual([]);

      const sources = readdirSync(target, { recursive: true, encoding: 'utf8' })
        .filter((path) => path.startsWith('src/main/java/') && path.endsWith('.java'))
        .map((path) => join(target, path));
      expect(sources.length).toBeGreaterThan(60);
      const stubs = Object.entries(missingLibraries).map(([name, source]) => {
        const path = join(target, `${name}.java`);
        writeFileSync(path, source);
        return path;
      });
      const classes = ['-cp', jackson.join(':'), '-d', join(folder, 'classes')];
      await run('javac', ['-J-XX:TieredStopAtLevel=1', '-nowarn', '-proc:none', ...classes, ...sources, ...stubs]);
      expect(existsSync(join(folder, 'classes/org/openapitools/client/api/ContactsApi.class'))).toBe(true);
    },
  );
});

/** Says as much of libraries that Debian does not have as the generated code uses. */
const missingLibraries = {
  Nullable: 'package javax.annotation; public @interface Nullable {}',
  ApiModel: 'package io.swagger.annotations; public @interface ApiModel { String description() default ""; }',
  ApiModelProperty: `package io.swagger.annotations; public @interface ApiModelProperty {
    String value() default ""; String example() default ""; boolean required() default false;
  }`,
  JavaTimeModule: `package com.fasterxml.jackson.datatype.jsr310;
    public class JavaTimeModule extends com.fasterxml.jackson.databind.module.SimpleModule {}`,
};
