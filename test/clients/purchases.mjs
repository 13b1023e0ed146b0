/** What customers buy from the reference till. */
const customers = [
  'astrid.lindqvist@example.com',
  'johan.bergstrom@example.com',
  'elin.sandberg@example.com',
  'oskar.nystrom@example.com',
  'maja.holm@example.com',
];

/** What the i-th customer of a day buys; under this e-mail, if it is given. */
export const purchase = (i, email) => ({
  email: email ?? customers[i % customers.length],
  firstName: 'Astrid',
  lines: [{ sku: 'A-1', price: 400 }],
  definitionId: 1,
  challengeId: '9b1d0c00-cccc-4000-8000-000000000001',
});
