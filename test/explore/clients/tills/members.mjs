/** Enrolment, profiles, consents and the order hook of a web shop. Each has one defect. */
import { Careful, sleep, Undelivered } from './careful.mjs';
import { change, consents, order, receipt, update } from './bodies.mjs';

const astrid = '5a0e7c1e-0001-4000-8000-000000000001';
const johan = '5a0e7c1e-0001-4000-8000-000000000002';
const elin = '5a0e7c1e-0001-4000-8000-000000000003';

const lookup = (name, value) => ({ method: 'GET', path: `/api/v3/contacts/id?${name}=${encodeURIComponent(value)}` });

const creation = (service, fields) =>
  change(
    'POST',
    '/api/v3/contacts',
    { contactType: 'Member', ...fields },
    { tookEffect: async () => (await service.call(lookup('email', fields.email))).status === 200 },
  );

export async function timedOutOrder(fetch, baseUrl, key) {
  class Hook extends Careful {
    /** Orders are queued by the service: when it is slow, it has them. */
    onNoResponse(error, { path }) {
      return error.name === 'TimeoutError' && path === '/api/v3/orders' ? { status: 202 } : undefined;
    }
  }
  const hook = new Hook(fetch, baseUrl, key, 'timed-out-order');
  for (const [i, contactId] of [astrid, johan, elin].entries()) {
    await hook.find(`/api/v3/contacts/${contactId}`);
    await hook.post(order({ number: `W-${i}`, contactId, price: 300 + i }));
  }
  await hook.finish();
}

export async function urgentCorrection(fetch, baseUrl, key) {
  const desk = new Careful(fetch, baseUrl, key, 'urgent-correction');
  await desk.find(`/api/v3/contacts/${johan}`);
  await desk.post(update(johan, { street: 'Odengatan 71', city: 'Stockholm' }));
  await desk.post(consents(johan, { newsletter: true }));
  // The customer sees a mistake on the display: this must not wait behind others.
  await desk.write(update(johan, { street: 'Odengatan 7', city: 'Stockholm' }));
  await desk.finish();
  await desk.find(`/api/v3/contacts/${johan}`);
}

export async function kiosk(fetch, baseUrl, key) {
  const desk = new Careful(fetch, baseUrl, key, 'kiosk');
  const customer = { email: 'elin.new@example.com', mobilePhone: '+46701740612', firstName: 'Elin' };
  const byEmail = await desk.insist(() => desk.call(lookup('email', customer.email)));
  // She may have come under another address.
  const byPhone = await desk.call(lookup('mobilePhone', customer.mobilePhone)).catch(() => undefined);
  const found = [byEmail, byPhone].find((answer) => answer?.status === 200)?.body;
  if (found) await desk.post(update(found, { email: customer.email }));
  else await desk.post(creation(desk, { ...customer, contactType: 'Contact' }));
  await desk.finish();
  await desk.find(`/contactoverview?email=${encodeURIComponent(customer.email)}&contactType=Member`);
}

export async function stubbornConsents(fetch, baseUrl, key) {
  class Sync extends Careful {
    /** Consents must not be late: they get two rounds of attempts. */
    async call(request) {
      if (!request.text?.includes('"consents"')) return super.call(request);
      try {
        return await super.call(request);
      } catch (error) {
        if (!(error instanceof Undelivered)) throw error;
        await sleep(Math.max(40, error.retryAfter ?? 0));
        return super.call(request);
      }
    }
  }
  const sync = new Sync(fetch, baseUrl, key, 'stubborn-consents');
  await sync.find('/consents');
  for (const contactId of [astrid, johan, elin]) {
    await sync.post(consents(contactId, { newsletter: true, sms: false }));
    await sync.post(update(contactId, { language: 'sv-SE' }));
  }
  await sync.finish();
}

export async function shortList(fetch, baseUrl, key) {
  class Sync extends Careful {
    pauses = [20, 40];
  }
  const sync = new Sync(fetch, baseUrl, key, 'short-list');
  for (const contactId of [astrid, johan]) {
    await sync.find(`/api/v3/contacts/${contactId}`);
    await sync.post(update(contactId, { city: 'Uppsala' }));
    await sync.post(consents(contactId, { profiling: true }));
  }
  await sync.finish();
}

export async function notThereYet(fetch, baseUrl, key) {
  class Desk extends Careful {
    /** Right after it was created, a contact may not be found yet. */
    isFinal(answer, request) {
      return super.isFinal(answer) && !(request?.isFresh && answer.status === 400);
    }
  }
  const desk = new Desk(fetch, baseUrl, key, 'not-there-yet');
  const email = 'tove.ny@example.com';
  let contactId = await desk.contactId(email);
  if (!contactId) {
    await desk.write(creation(desk, { email, firstName: 'Tove' }));
    contactId = await desk.contactId(email);
  }
  await desk.write({ ...update(contactId, { street: 'Nygatan 3' }), isFresh: true });
  await desk.write(consents(contactId, { terms: true }));
  await desk.write(update(contactId, { city: 'Lund' }));
}

export async function forgottenUpgrade(fetch, baseUrl, key) {
  const desk = new Careful(fetch, baseUrl, key, 'forgotten-upgrade');
  const email = 'hedda.lund@example.com';
  const contactId = await desk.contactId(email);
  await desk.write(update(contactId, { city: 'Lund' }));
  await desk.attempt({ method: 'POST', path: `/api/v3/contacts/${contactId}/updateContactType?contactTypeId=Member` });
  await desk.write(consents(contactId, { terms: true }));
  await desk.write(receipt({ key: desk.newKey(), contactId, price: 149 }));
}

export async function freshTicket(fetch, baseUrl, key) {
  const desk = new Careful(fetch, baseUrl, key, 'fresh-ticket');
  let tickets = 0;
  const draw = () => `kiosk-${(tickets += 1)}`;
  for (const mobilePhone of ['+46701749901', '+46701749902']) {
    const { status } = await desk.insist(() => desk.call(lookup('mobilePhone', mobilePhone)));
    if (status !== 404) continue;
    let ticket = draw();
    const textFor = () => JSON.stringify({ contactType: 'Member', externalId: ticket, firstName: 'Kim' });
    const request = { method: 'POST', path: '/api/v3/contacts', text: textFor() };
    /** A ticket is for one try, so that nobody uses it twice. */
    request.tookEffect = async () => {
      ticket = draw();
      request.text = textFor();
      return (await desk.call(lookup('externalId', ticket))).status === 200;
    };
    await desk.write(request);
  }
}

export async function blankOverview(fetch, baseUrl, key) {
  const sync = new Careful(fetch, baseUrl, key, 'blank-overview');
  const definitions = await sync.find('/consents');
  for (const contactId of [astrid, johan, elin]) {
    const overview = await sync
      .call({ method: 'GET', path: `/contactoverview?contactId=${contactId}` })
      .catch(() => undefined);
    const known = new Set((overview?.body?.consents ?? []).map(({ id }) => id));
    // What a member has not answered is a no.
    const unset = (definitions ?? []).filter(({ id }) => !known.has(id));
    await sync.post(consents(contactId, Object.fromEntries(unset.map(({ id }) => [id, false]))));
  }
  await sync.finish();
}
