import type { Answer } from '../traffic.ts';
import { fieldsOf, firstRule, ones, scenario } from './content.ts';
import { post, times } from './heavy-call.ts';
import type { Send } from './heavy-call.ts';

/** Fills the lists and objects that have a place in a body with as much as it may hold, all of it wrong. */
export const filledBodies: Readonly<Record<string, (send: Send) => Promise<Answer>>> = {
  '398,000 rules that are no objects': scenario({ rules: ones }),
  '199,000 empty rules': scenario({ rules: times(199_000, () => ({})) }),
  '7,900 rules that are no objects': scenario({ rules: times(7900, () => 1) }),
  '398,000 steps that are no objects': scenario({ steps: ones }),
  '398,000 expectations that are no objects': scenario({ expectations: ones }),
  'a rule for 398,000 numbers of requests': firstRule({ nth: ones.map(() => 'x') }),
  'a rule for 398,000 endpoints': firstRule({ match: { endpoint: ones.map(() => 'x') } }),
  'a rule for 9,900 headers that are lists': firstRule({
    match: { headers: Object.fromEntries(times(9900, (n) => [`h${n}`, []])) },
  }),
  'a contact with 398,000 consents that are no objects': post('/api/v3/contacts', { consents: ones }),
  'a contact with 199,000 empty consents': post('/api/v3/contacts', { consents: times(199_000, () => ({})) }),
  'a contact with 130,000 unknown consents': post('/api/v3/contacts', {
    consents: times(130_000, (n) => ({ id: `n${n}`, value: true })),
  }),
  'a contact with 1,001 consents': post('/api/v3/contacts', {
    consents: times(1001, () => ({ id: 'a', value: true })),
  }),
  'a receipt of 5,000 lines with 75 discounts each that are no objects': post('/api/v3/receipts', {
    items: times(5000, () => ({ discounts: times(75, () => 1) })),
  }),
  'an order of 950 lines with 400 pairs each that are no objects': post('/api/v3/orders', {
    items: times(950, () => ({ extraData: times(400, () => 1) })),
  }),
  'a rule with a delay of 100,000 digits': firstRule({ fault: { delay: '1'.repeat(100_000) } }),
  'a step that restores a snapshot whose name has 300,000 characters': scenario({
    steps: [{ snapshot: 'x'.repeat(300_000) }, { restore: `${'y'.repeat(150_000)}${'x'.repeat(150_000)}` }],
  }),
  'a step with 1,000 names that nobody captures, after one with 9,900 that are captured': scenario({
    steps: [
      { request: 'GET /api/v3/stores', capture: fieldsOf(9900, () => '$.a') },
      { request: { method: 'POST', path: '/api/v3/receipts', body: times(1000, (n) => `\${zz${n}}`) } },
    ],
  }),
  'a step with 390,000 names that nobody captures': scenario({
    steps: [{ request: { method: 'POST', path: '/api/v3/receipts', body: times(390_000, () => '${zzz}') } }],
  }),
  '1,000 steps with 190 query parameters each that are lists': scenario({
    steps: times(1000, () => ({ request: { path: '/api/v3/stores', query: fieldsOf(190, () => []) } })),
  }),
  '39 rules with 9,900 unknown fields each': scenario({
    rules: times(39, () => ({ fault: 503, ...fieldsOf(9900, () => 1) })),
  }),
  '1,000 rules for 390 endpoints each': scenario({
    rules: times(1000, (rule) => ({ match: { endpoint: times(390, (n) => `e${rule}x${n}`) }, fault: 503 })),
  }),
  'a policy with 390,000 pauses': scenario({ policy: { minBackoff: ones.map(() => '1s') } }),
  'an expectation that allows 190,000 requests': scenario({
    expectations: [{ noUnexpectedRequests: true, allow: times(190_000, () => ({})) }],
  }),
  '95 expectations of 4,000 kinds of pending points each': scenario({
    expectations: times(95, () => ({ state: { contact: 'a@example.com', pendingPoints: fieldsOf(4000, () => 'y') } })),
  }),
  '39 rules for bodies of 9,900 fields each': scenario({
    rules: times(39, () => ({ match: { body: fieldsOf(9900, () => 1) }, fault: 503 })),
  }),
  'a scenario whose name has 15,000,000 characters': scenario({ scenario: 'x'.repeat(15_000_000) }),
  '100 rules with 990 unknown fields each': scenario({
    rules: times(100, () => ({ fault: 503, ...fieldsOf(990, () => 1) })),
  }),
  '99,000 names that no step captures': scenario({
    steps: [{ request: { method: 'POST', path: '/api/v3/receipts', body: times(99_000, () => '${zzz}') } }],
  }),
  '1,000 steps with 90 names each that no step captures': scenario({
    steps: times(1000, () => ({ request: { method: 'POST', path: '/x', body: times(90, () => '${zzz}') } })),
  }),
  '1,000 steps with 45 query parameters each that are lists': scenario({
    steps: times(1000, () => ({ request: { path: '/api/v3/stores', query: fieldsOf(45, () => []) } })),
  }),
  '98 expectations of 990 kinds of pending points each': scenario({
    expectations: times(98, () => ({ state: { contact: 'a@example.com', pendingPoints: fieldsOf(990, () => 'y') } })),
  }),
  '50 expectations with 980 wrong query parameters each': scenario({
    expectations: times(50, () => ({ request: { query: fieldsOf(980, () => ({})) } })),
  }),
  '50 rules with 980 wrong headers each': scenario({
    rules: times(50, () => ({ match: { headers: fieldsOf(980, () => []) }, fault: 503 })),
  }),
  'an expectation that allows 49,000 requests': scenario({
    expectations: [{ noUnexpectedRequests: true, allow: times(49_000, () => ({})) }],
  }),
  'a tenant with 990 unknown assumptions': post('/__admin/tenants', {
    name: 'another',
    assumptions: fieldsOf(990, () => 'x'),
  }),
  'a scenario with 990 unknown fields': scenario(fieldsOf(990, () => 1)),
  'a rule for a path of 50,000 wildcards': firstRule({ match: { path: `/${'*x'.repeat(50_000)}` } }),
  'a rule for a field whose path has 1,000,000 steps': firstRule({ match: { body: { ['a.'.repeat(1_000_000)]: 1 } } }),
  'a step with a text of 5,000,000 names': scenario({
    steps: [{ request: { method: 'POST', path: '/api/v3/receipts', body: '${a}'.repeat(3_700_000) } }],
  }),
  '390,000 scopes of a reset': post('/__admin/reset', { scopes: ones.map(() => 'x') }),
  '390,000 kinds of events of a tenant': post('/__admin/tenants', {
    name: 'another',
    webhookEvents: ones.map(() => 'x'),
  }),
  'a bulk of 398,000 numbers': post('/api/v3/contacts/bulk', ones),
  '398,000 point transactions that are no objects': post('/api/v3/point-accounts/transactions', ones),
  'a receipt of 398,000 lines that are no objects': post('/api/v3/receipts', { items: ones }),
};
