/** Says what the operations of each tag are about. */
const tagDescriptions: Readonly<Record<string, string>> = {
  Contacts: 'Contacts, their keys, attributes and consents, one by one and in batches.',
  Points: 'Point accounts, transactions and definitions.',
  Challenges: 'Challenges, their definitions, and what checkpoints award.',
  Promotions: 'Promotions, who has them, and their redemption.',
  'Receipts, transactions, orders': 'Receipts, what contacts bought, orders, and the retailer’s stores.',
  'Control: about': 'The simulator itself: it says whether it is ready and what it is, and has documents.',
  'Control: contacts': 'Everything that the simulator knows of a contact.',
  'Control: explore': 'The progress of an exploration that works on this simulator.',
  'Control: faults': 'Fault rules and the scenario that they come from.',
  'Control: imports': 'Receipts that came as files, and faults for them.',
  'Control: inside the service': 'Events that happen inside the service, and not through its API.',
  'Control: outbox': 'E-mails and text messages that orders caused.',
  'Control: requests': 'The journal of requests, and a stream of what happens.',
  'Control: snapshots': 'Snapshots of a tenant’s state.',
  'Control: tenants': 'Tenants: made, reset and deleted.',
  'Control: time and queue': 'The tenant’s clock, and the jobs that wait for it.',
  'Control: verdict': 'The verdict on the client, and checks of single expectations.',
  'Control: webhooks': 'Webhooks that were delivered, faults for them, and what the point master did with them.',
};

export function describeTag(name: string): { readonly name: string; readonly description?: string } {
  const description = tagDescriptions[name];
  return { name, ...(description !== undefined && { description }) };
}
