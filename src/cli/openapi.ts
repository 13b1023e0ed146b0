/** `loyalty-sim openapi`: prints the document of a running simulator, or of one as it would be started. */
import * as z from 'zod';
import { InputError } from '../core/errors.ts';
import { adminClient, usualUrl } from './admin-client.ts';
import type { SimFlags } from './admin-client.ts';
import { printResult } from './print.ts';

export async function openapi(flags: SimFlags): Promise<number> {
  if (flags.url === undefined && flags.tenant !== undefined) {
    throw new InputError(`--tenant ${flags.tenant}: no simulator is asked without --url`);
  }
  const document = flags.url === undefined ? await ownDocument() : await servedDocument(flags);
  printResult(JSON.stringify(document, undefined, flags.json ? undefined : 2));
  return 0;
}

const servedDocument = (flags: SimFlags): Promise<object> =>
  adminClient(flags)('/openapi.json', { answer: z.looseObject({ openapi: z.string() }) });

async function ownDocument(): Promise<object> {
  const [{ buildOpenApi }, { controlEndpoints }, { endpoints }, { version }] = await Promise.all([
    import('../http/openapi.ts'),
    import('../http/control/endpoints.ts'),
    import('../resources/endpoints.ts'),
    import('../package.ts'),
  ]);
  return buildOpenApi({ endpoints, controlEndpoints, serverUrl: usualUrl, version: version() });
}
