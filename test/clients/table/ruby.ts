/** Lists the programs in Ruby: Net::HTTP, which repeats reads by itself, and jobs worked off by threads. */
import type { ClientProgram } from './client-program.ts';
import { fail, harmless, lost, on, pass, unreached } from './client-program.ts';

type Row = Omit<ClientProgram, 'language' | 'needs'>;

const rows: Row[] = [
  {
    name: 'ruby-till-right',
    run: 'ruby/till.rb right',
    rules: [on('createReceipt', 504, lost)],
    expected: pass,
    why: 'Its `retry` sends the same receipt again.',
  },
  {
    name: 'ruby-till-swallows',
    run: 'ruby/till.rb swallows',
    rules: [on('createReceipt', lost)],
    expected: fail(['R1'], ['R9']),
    why: '`rescue nil` hides that the first receipt got no response.',
  },
  {
    name: 'ruby-till-uuid-in-retry',
    run: 'ruby/till.rb uuid-in-retry',
    rules: [on('createReceipt', lost)],
    expected: fail(['R5', 'R10']),
    why: 'The key is drawn inside the block that is retried.',
  },
  {
    name: 'ruby-till-reads',
    run: 'ruby/till.rb reads',
    rules: [on('listPointAccounts', unreached)],
    policy: { minBackoff: '1s' },
    expected: harmless,
    why: 'Net::HTTP repeats the broken GET at once by itself, which is no attempt of the program.',
  },
  {
    name: 'ruby-till-ensure',
    run: 'ruby/till.rb ensure',
    expected: fail(['R2']),
    why: '`ensure` runs after success as well, so the receipt is sent again after its 202.',
  },
  {
    name: 'ruby-jobs-right',
    run: 'ruby/jobs.rb right',
    rules: [on('createReceipt', 504, 500)],
    expected: harmless,
    why: 'Failed jobs go to the end of the queue and are done there, each once.',
  },
  {
    name: 'ruby-jobs-points',
    run: 'ruby/jobs.rb points',
    rules: [on('addPointTransactions', lost)],
    expected: fail(['R10'], ['R11']),
    why: 'A failed job of points is done again later without a key or a look.',
  },
  {
    name: 'ruby-jobs-points-keyed',
    run: 'ruby/jobs.rb points-keyed',
    rules: [on('addPointTransactions', lost, 504)],
    expected: harmless,
    why: 'Each job has an Idempotency-Key of its own.',
  },
  {
    name: 'ruby-profile-reads-back',
    run: 'ruby/profile.rb reads-back',
    rules: [on('updateContact', lost)],
    expected: pass,
    why: 'It reads the contact and finds the new street there.',
  },
  {
    name: 'ruby-profile-reads-back-504',
    run: 'ruby/profile.rb reads-back',
    rules: [on('updateContact', 504)],
    expected: pass,
    why: 'It reads the old street and sends the change again.',
  },
  {
    name: 'ruby-profile-reads-other',
    run: 'ruby/profile.rb reads-other',
    rules: [on('updateContact', lost)],
    expected: fail(['R1'], ['R9']),
    why: 'It reads another contact, which says nothing of the change.',
  },
];

export const ruby: ClientProgram[] = rows.map((row) => ({ ...row, language: 'Ruby', needs: ['ruby'] }));
