import { apiError } from '../../service/errors/catalog.ts';
import type { Handler } from '../context.ts';
import { sendApiError } from './response.ts';

/** Resolves when what was done so far may be responded to; undefined when it may be at once. Rejects when it may be lost. */
export type WhenSaved = () => Promise<void> | undefined;

/** Lets a handler respond only when everything that was done by then is on the disk. */
export function respondWhenSaved(serve: Handler, whenSaved: WhenSaved | undefined): Handler {
  if (!whenSaved) return serve;
  return async (c) => {
    const response = await serve(c);
    try {
      await whenSaved();
      return response;
    } catch (error) {
      // Reading does nothing that could be lost.
      if (c.req.method === 'GET' || c.req.method === 'HEAD') return response;
      const message = `What this call did is not sure to be on the disk (${error instanceof Error ? error.message : error}).`;
      return sendApiError(c, apiError('InternalError', { message }));
    }
  };
}
