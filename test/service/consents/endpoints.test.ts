import { expect, it } from 'vitest';
import { astridPath } from '../../support/people.ts';
import { openSim } from '../../support/open-sim.ts';

it.each([
  ['smss', 'there is no consent "smss"; did you mean "sms"?'],
  ['paper', 'there is no consent "paper"; there are newsletter, postal, profiling, sms, terms'],
])('a consent "%s" that there is not is refused with those that there are', async (id, errorDescription) => {
  const { status, body } = await (await openSim()).post(astridPath, { consents: [{ id, value: true }] });
  expect([status, body.validationErrors]).toEqual([400, [{ field: 'consents[0].id', errorDescription }]]);
});

it('a consent that is answered twice in one call has the last answer, which is said', async () => {
  const consents = [true, false].map((value) => ({ id: 'sms', value }));
  const { body, warnings } = await (await openSim()).post(astridPath, { consents });
  expect(body.consents.find(({ id }: { id: string }) => id === 'sms').value).toBe(false);
  expect(warnings).toBe('repeated-consent: the consent "sms" is answered more than once; the last answer counts');
});
