import { Option } from 'commander';
import type { OpenApiDocument } from '../../http/openapi/openapi-variants.ts';
import * as z from '../../core/validation/deferred-zod.ts';
import { InputError } from '../../core/lib/input-error.ts';
import { adminClient, defaultSimUrl } from '../remote/admin-client.ts';
import type { RemoteFlags } from '../remote/admin-client.ts';
import { printResult } from '../process/terminal.ts';
import { withRemoteFlags } from '../flags/remote-flags.ts';
import { withExamples } from '../flags/shared-flags.ts';
import type { DeclareCommand } from '../flags/shared-flags.ts';

export const declareOpenapi: DeclareCommand = (command, done) => {
  withRemoteFlags(command)
    .option('--service', 'only the simulated service, without the control API')
    .addOption(new Option('--openapi-version <version>', 'version of OpenAPI').choices(['3.0', '3.1']).default('3.1'))
    .option('--postman', 'a Postman collection instead, which Bruno and Insomnia import too')
    .action(async (flags: OpenapiFlags) => done(await printOpenapi(flags)));
  withExamples(
    command,
    'loyalty-sim openapi',
    'loyalty-sim openapi --service --openapi-version 3.0 > service.json',
    'loyalty-sim openapi --service --postman > collection.json',
    'loyalty-sim openapi --url http://127.0.0.1:4010 --json',
  );
};

interface OpenapiFlags extends RemoteFlags {
  readonly service?: boolean;
  readonly openapiVersion: '3.0' | '3.1';
  readonly postman?: boolean;
}

async function printOpenapi(flags: OpenapiFlags): Promise<number> {
  if (flags.url === undefined && flags.tenant !== undefined) {
    throw new InputError(`--tenant ${flags.tenant}: goes with --url, which names the simulator`);
  }
  if (flags.postman && flags.openapiVersion === '3.0') {
    throw new InputError('--postman: a collection is no OpenAPI document; leave --openapi-version out');
  }
  const { serviceDocument, toOpenApi30, toPostman } = await import('../../http/openapi/openapi-variants.ts');
  const whole = (flags.url === undefined ? await ownDocument() : await servedDocument(flags)) as OpenApiDocument;
  const shown = flags.service ? serviceDocument(whole) : whole;
  const older = flags.openapiVersion === '3.0' ? toOpenApi30(shown) : shown;
  const document = flags.postman ? toPostman(shown) : older;
  printResult(JSON.stringify(document, undefined, flags.json ? undefined : 2));
  return 0;
}

const servedDocument = (flags: RemoteFlags): Promise<object> =>
  adminClient(flags)('/openapi.json', { responseSchema: z.looseObject({ openapi: z.string() }) });

async function ownDocument(): Promise<object> {
  const [{ buildOpenApi }, { adminEndpoints }, { endpoints }, { packageVersion: version }] = await Promise.all([
    import('../../http/openapi/openapi-document.ts'),
    import('../../admin/endpoints.ts'),
    import('../../service/endpoints.ts'),
    import('../../package/package-info.ts'),
  ]);
  return buildOpenApi({ endpoints, adminEndpoints, serverUrl: defaultSimUrl, version: version() });
}
