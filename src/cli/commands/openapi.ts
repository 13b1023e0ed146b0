import * as z from '../../core/validation/deferred-zod.ts';
import { InputError } from '../../core/lib/input-error.ts';
import { adminClient, defaultSimUrl } from '../remote/admin-client.ts';
import type { RemoteFlags } from '../remote/admin-client.ts';
import { printResult } from '../process/terminal.ts';
import { withRemoteFlags } from '../flags/remote-flags.ts';
import { withExamples } from '../flags/shared-flags.ts';
import type { DeclareCommand } from '../flags/shared-flags.ts';

export const declareOpenapi: DeclareCommand = (program, done) => {
  const command = withRemoteFlags(program.command('openapi'))
    .description('print the OpenAPI document: of this version, or with --url of a running simulator')
    .action(async (flags: RemoteFlags) => done(await printOpenapi(flags)));
  withExamples(command, 'loyalty-sim openapi', 'loyalty-sim openapi --url http://127.0.0.1:4010 --json');
};

async function printOpenapi(flags: RemoteFlags): Promise<number> {
  if (flags.url === undefined && flags.tenant !== undefined) {
    throw new InputError(`--tenant ${flags.tenant}: goes with --url, which names the simulator`);
  }
  const document = flags.url === undefined ? await ownDocument() : await servedDocument(flags);
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
