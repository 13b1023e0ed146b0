/** The reference till with one defect each: what is changed in its text, when that shows, and the rule that must find it. */
import { tillPolicy as policy } from './shipped.mjs';

const on = (endpoint, ...faults) => ({ policy, rules: [{ match: { endpoint }, fault: faults }] });
const lost = { phase: 'after', end: 'reset' };
const outage = { policy, rules: [{ match: { method: 'POST', path: '/api/v3/receipts' }, fault: Array(8).fill(504) }] };

/** After it the service is slow, so that it shows what is sent at once. */
const longOutage = {
  policy: { ...policy, retryStorm: { maxConcurrent: 2 } },
  rules: [
    {
      match: { endpoint: 'createReceipt' },
      fault: [...Array(16).fill(504), ...Array.from({ length: 4 }, () => ({ delay: 600 }))],
    },
  ],
};

const twice504 = on('createReceipt', 504, 504);
const thrice504 = on('createReceipt', 504, 504, 504);

const statuses = 'const retryStatuses = new Set([500, 502, 503, 504, 429]);';
const retrying = (...list) => [statuses, `const retryStatuses = new Set([${list}]);`];
const sending = '      const response = await fetch(`${this.url}${path}`, {';
const changing = (find, replacement) => [sending, `      text = text?.replace(${find}, ${replacement});\n${sending}`];
const pause = '    return shortest + this.random() * shortest * 0.4;';
const look = '        if (await this.tookEffect(operation))';
const blindFor = (kind) => [look, `        if (operation.look !== '${kind}' && (await this.tookEffect(operation)))`];

/**
 * `also`: the other rules by which the defect may show. `rounds`: how often the till tries to deliver what is left. `checkouts`: how many customers buy; one unless given.
 * `linger`: how long the till's day goes on after that, in ms of its own time.
 */
export const mutants = [
  { name: 'repeats a 400 unchanged', rule: 'R3', scenario: on('updateContact', 400), change: retrying(500, 504, 400) },
  {
    name: 'queues what was refused with 400',
    rule: 'R3',
    scenario: on('createReceipt', 400),
    change: [
      '      return await this.call(operation);\n    } catch',
      "      const answer = await this.call(operation);\n      if (answer.status === 400) throw new GaveUp('refused');\n      return answer;\n    } catch",
    ],
  },
  {
    name: 'does not pause',
    rule: 'R6',
    scenario: twice504,
    change: [pause, '    return 0 * shortest;'],
  },
  {
    name: 'pauses too briefly',
    rule: 'R6',
    scenario: twice504,
    change: [pause, '    return shortest / 4;'],
  },
  {
    name: 'takes chance off the pause instead of adding it',
    rule: 'R6',
    scenario: thrice504,
    change: [pause, '    return shortest - (0.6 + this.random() * 0.4) * shortest;'],
  },
  {
    name: 'pauses less each time',
    rule: 'R6',
    scenario: thrice504,
    change: [
      'const shortest = this.pauses[attempt - 1];',
      'const shortest = this.pauses[this.pauses.length - attempt];',
    ],
  },
  {
    name: 'halves its pause each time',
    rule: 'R6',
    scenario: {
      policy: { ...policy, minBackoff: 10_000 },
      rules: [{ match: { endpoint: 'createReceipt' }, fault: [504, 504, 504] }],
    },
    change: [
      'const shortest = this.pauses[attempt - 1];',
      'const shortest = (1.5 * this.pauses.at(-1)) / 2 ** attempt;',
      pause,
      '    return shortest;',
    ],
  },
  {
    name: 'draws a new uniqueReceiptId for each attempt',
    rule: 'R5',
    scenario: twice504,
    change: changing(String.raw`/"uniqueReceiptId":"[^"]*"/`, '`"uniqueReceiptId":"${this.newKey()}"`'),
  },
  {
    name: 'draws a new transactionId for each attempt',
    rule: 'R5',
    scenario: on('addPointTransaction', 504, 504),
    change: changing(String.raw`/"transactionId":"[^"]*"/`, '`"transactionId":"${this.newKey()}"`'),
  },
  {
    name: 'draws a new transactionId, and the response was lost',
    rule: 'R10',
    also: ['R5'],
    scenario: on('addPointTransaction', lost),
    change: changing(String.raw`/"transactionId":"[^"]*"/`, '`"transactionId":"${this.newKey()}"`'),
  },
  {
    name: 'rebuilds the body with a new time stamp',
    rule: 'R4',
    scenario: twice504,
    change: changing(String.raw`/"createdDate":"[^"]*"/`, '`"createdDate":"${new Date().toISOString()}"`'),
  },
  {
    name: 'sends another total on the second attempt',
    rule: 'R4',
    scenario: twice504,
    change: changing(String.raw`/"totalGrossPrice":\d+/`, '`"totalGrossPrice":${300 + (this.numbers += 1)}`'),
  },
  {
    name: 'gives up on 504',
    rule: 'R1',
    linger: policy.storeAndForward.after,
    scenario: twice504,
    change: retrying(500),
  },
  {
    name: 'gives up on 500',
    rule: 'R1',
    linger: policy.storeAndForward.after,
    scenario: on('createReceipt', 500),
    change: retrying(504),
  },
  {
    name: 'gives up when there is no response',
    rule: 'R1',
    linger: policy.storeAndForward.after,
    scenario: on('createReceipt', lost),
    change: [
      '      return undefined;\n    }\n  }\n}\n\n/** Changes',
      '      return { status: 418 };\n    }\n  }\n}\n\n/** Changes',
    ],
  },
  {
    name: 'does not repeat what it reads',
    rule: 'R1',
    scenario: on('listPromotionAssignments', 504),
    change: [
      "const { status, body } = await this.call({ method: 'GET', path });",
      "const { status, body } = (await this.attempt({ method: 'GET', path })) ?? {};",
    ],
  },
  {
    name: 'takes the cut body of a read for success',
    rule: 'R1',
    scenario: on('listPromotionAssignments', { phase: 'after', respond: 'partial', end: 'close' }),
    change: [
      '      const received = await response.text();',
      "      const received = await response.text().catch(() => '');",
    ],
  },
  {
    name: 'repeats a 404',
    rule: 'R2',
    scenario: on('listPromotionAssignments', 500),
    change: retrying(500, 504, 404),
    email: 'somebody.new@example.com',
  },
  {
    name: 'repeats a 409',
    rule: 'R2',
    rounds: 1,
    scenario: on('redeemPromotion', lost),
    change: retrying(500, 504, 409),
  },
  {
    name: 'sends a receipt again after success',
    rule: 'R2',
    scenario: on('createReceipt', 504),
    change: [
      '      if (answer !== undefined && !retryStatuses',
      "      if (operation.path?.endsWith('/receipts') && attempt < 2) continue;\n      if (answer !== undefined && !retryStatuses",
    ],
  },
  {
    name: 'tries more often than declared',
    rule: 'R7',
    scenario: on('createReceipt', 504, 504, 504, 504, 504),
    change: [
      'attempt <= this.pauses.length;',
      'attempt <= this.pauses.length + 3;',
      'this.pauses[attempt - 1];',
      'this.pauses[Math.min(attempt, 3) - 1];',
    ],
  },
  {
    name: 'sends every request twice at once',
    rule: 'R8',
    also: ['R2', 'R10'],
    scenario: on('createReceipt', { delay: 5000 }),
    change: [
      '      const answer = await this.attempt(operation);',
      '      const [answer] = await Promise.all([this.attempt(operation), this.attempt(operation)]);',
    ],
  },
  {
    name: 'does not end a slow request before it repeats it',
    rule: 'R8',
    scenario: on('createReceipt', { phase: 'after', delay: 15_000 }),
    change: [
      '      const answer = await this.attempt(operation);',
      '      const answer = await Promise.race([this.attempt(operation), sleep(200)]);',
    ],
  },
  {
    name: 'has no fallback',
    rule: 'R9',
    linger: policy.storeAndForward.after,
    scenario: on('createReceipt', 504, 504, 504, 504),
    change: ['      this.queue.push({ ...operation, isUnknown: true });\n', ''],
  },
  {
    name: 'delivers its queue twice',
    rule: 'R9',
    also: ['R2'],
    scenario: outage,
    change: [
      '        if (!isThere) await this.call(operation);',
      '        if (!isThere) await this.call(operation);\n        await sleep(30);\n        if (!isThere) await this.call(operation);',
    ],
  },
  {
    name: 'delivers the newest first',
    rule: 'R9',
    scenario: outage,
    checkouts: 2,
    change: [
      '    return this.#operations[0];',
      '    return this.#operations.at(-1);',
      'this.#operations.shift();',
      'this.#operations.pop();',
    ],
  },
  {
    name: 'delivers its queue under new keys',
    rule: 'R5',
    scenario: outage,
    change: [
      '      const operation = this.queue.first;',
      String.raw`      const operation = { ...this.queue.first };
      operation.text = operation.text.replace(/"uniqueReceiptId":"[^"]*"/, '"uniqueReceiptId":"' + this.newKey() + '"');`,
    ],
  },
  {
    name: 'repeats bulk points blindly',
    rule: 'R11',
    also: ['R10'],
    scenario: on('addPointTransactions', lost),
    change: blindFor('points'),
  },
  {
    name: 'repeats a new contact under another contact type',
    rule: 'R10',
    also: ['R4'],
    scenario: on('createContact', lost),
    change: [
      ...blindFor('contact'),
      ...changing(
        String.raw`/"contactType":"Member"/`,
        '`"contactType":"${this.hasCreated ? \'Contact\' : ((this.hasCreated = true), \'Member\')}"`',
      ),
    ],
    email: 'somebody.new@example.com',
  },
  {
    name: 'takes a failed first look for "not there"',
    rule: 'R15',
    scenario: on('getContactId', 504, 504, 504, 504),
    change: [
      '    if (!found.isAnswered) {',
      '    if (!found) {',
      'const create = creation({ email, firstName });',
      "const create = { ...creation({ email }), text: JSON.stringify({ email, firstName, contactType: 'Contact' }) };",
    ],
  },
  {
    name: 'repeats checkpoints blindly',
    rule: 'R11',
    scenario: on('awardCheckpoints', lost),
    change: blindFor('checkpoints'),
  },
  {
    name: 'takes a failed look for "not there"',
    rule: 'R11',
    also: ['R10'],
    scenario: {
      policy,
      rules: [
        { match: { endpoint: 'addPointTransactions' }, fault: [lost] },
        { match: { endpoint: 'listPointAccounts' }, fault: [504, 504, 504, 504] },
      ],
    },
    change: [look, '        if (await this.tookEffect(operation).catch(() => false))'],
  },
  {
    name: 'floods the service when it is back',
    rule: 'R12',
    scenario: longOutage,
    checkouts: 4,
    change: [
      '    if (!this.queue.isEmpty) {\n      this.queue.push(operation);\n      return undefined;\n    }\n',
      '',
      '  async deliverRound() {',
      '  async deliverRound() {\n    return this.deliverAll();\n  }\n\n  async deliverAll() {\n    const all = [];\n    while (!this.queue.isEmpty) {\n      all.push(this.queue.first);\n      this.queue.shift();\n    }\n    await Promise.all(all.map((operation) => this.call(operation)));\n  }\n\n  async deliverOneByOne() {',
    ],
  },
];

/** The circumstances in which the defects show: the reference till must get through each. */
export const scenarios = mutants.filter(
  ({ scenario }, i) => mutants.findIndex((other) => other.scenario === scenario) === i,
);

/** The till's text with a defect. Throws when the place that is to be changed isn't there any more. */
export function mutate(text, { name, change }) {
  let mutated = text;
  for (let i = 0; i < change.length; i += 2) {
    if (!mutated.includes(change[i])) throw new Error(`${name}: the till has no "${change[i]}"`);
    mutated = mutated.replace(change[i], () => change[i + 1]);
  }
  return mutated;
}
