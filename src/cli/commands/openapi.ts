/** `loyalty-sim openapi`: prints the document of a running simulator, or of one as it would be started. */
import * as z from 'zod';
import { InputError } from '../../core/lib/input-error.ts';
import { adminClient, defaultSimUrl } from '../remote/admin-client.ts';
import type { RemoteFlags } from '../remote/admin-client.ts';
import { printResult } from '../process/terminal.ts';

export async function openapiCommand(flags: RemoteFlags): Promise<number> {
  if (flags.url === undefined && flags.tenant !== undefined) {
    throw new InputError(`--tenant ${flags.tenant}: no simulator is asked without --url`);
  }
  const document = flags.url === undefined ? await ownDocument() : await servedDocument(flags);
  printResult(JSON.stringify(document, undefined, flags.json ? undefined : 2));
  return 0;
}

const servedDocument = (flags: RemoteFlags): Promise<object> =>
  adminClient(flags)('/openapi.json', { responseSchema: z.looseObject({ openapi: z.string() }) });

async function ownDocument(): Promise<object> {
  const [{ buildOpenApi }, { adminEndpoints: controlEndpoints }, { endpoints }, { packageVersion: version }] =
    await Promise.all([
      import('../../http/openapi/openapi-document.ts'),
      import('../../admin/endpoints.ts'),
      import('../../service/endpoints.ts'),
      import('../../storage/files/package-info.ts'),
    ]);
  return buildOpenApi({ endpoints, controlEndpoints, serverUrl: defaultSimUrl, version: version() });
}
