import { describe, expect, it } from 'vitest';
import { openEmptySim } from '../../support/open-sim.ts';

describe('the pipeline', () => {
  it.each(['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override'])(
    'warns that %s is not read',
    async (name) => {
      const { call } = await openEmptySim();
      const { status, warnings } = await call('POST', '/api/v3/contacts', {
        body: { email: 'a@example.com' },
        headers: { [name]: 'PATCH' },
      });
      const words = `method-override: the header ${name.toLowerCase()}: PATCH is not read; this is a POST`;
      expect([status, warnings]).toEqual([201, expect.stringContaining(words)]);
    },
  );

  it('says nothing where the header means what is sent', async () => {
    const { call } = await openEmptySim();
    const headers = { 'x-http-method-override': 'get' };
    expect((await call('GET', '/api/v3/contacts/count', { headers })).warnings).toBe('');
  });
});
