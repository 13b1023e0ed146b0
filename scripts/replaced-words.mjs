/**
 * Lists words that docs/glossary.md replaced, and what is said now. `isProse: false` are public names alone: a flag, a
 * key, an event; they may stand in the source where the new name is suggested. In the folders of `exceptIn`, and in the
 * phrases of `exceptFor`, a word stands for something else.
 */
export const replacedWords = [
  { old: /\bcomes? along\b/gi, now: 'built-in' },
  { old: /\bunless given\b/gi, now: '(default: …)' },
  { old: /\bbefall(?:s|en|ing)?\b|\bbefell\b/gi, now: 'hits, was hit by' },
  { old: /\bthe caller really got\b/gi, now: 'delivered response' },
  { old: /\bturn(?:s|ed|ing)? the clock\b/gi, now: 'set the clock' },
  { old: /\bwhat happened does not tell\b|\bdoes not tell\b/gi, now: 'inconclusive' },
  { old: /\ba fault of loyalty-sim\b/gi, now: 'internal error' },
  { old: /\brightly\b/gi, now: 'correctly' },
  { old: /\bto mend\b|\bmend(?:s|ed)\b/gi, now: 'fix' },
  { old: /\btold apart\b|\btell(?:s|ing)? \w+ apart\b/gi, now: 'distinguished' },
  { old: /\bthe budget of a rule\b/gi, now: 'when a rule fires' },
  { old: /\banew\b/gi, now: 'again, afresh' },
  { old: /\bbeside\b/gi, now: 'next to, in addition to' },
  // The examples of the atlas have variables of this name.
  { old: /\btold\b/gi, now: 'shown, printed, confirmed, notified', exceptIn: ['docs/retry-atlas/'] },
  {
    old: /\b(?:un)?answered\b|\b(?:no|an) answer\b|\bdid not answer\b/gi,
    now: 'responded, no response',
    // A person answers a consent.
    exceptFor: [
      'who gives no answer of its own',
      'consents were answered',
      'is answered more than once; the last answer counts',
      'is answered already, further up in this contact',
    ],
  },
  { old: /\bexchange\.(?:begun|answered|changed)\b/g, now: 'request.received, request.completed, request.updated' },
  { old: /\bclock\.turned\b/g, now: 'clock.changed' },
  { old: /\btenant\.made\b/g, now: 'tenant.created' },
  { old: /\bwebhook\.tried\b/g, now: 'webhook.attempted' },
  { old: /\bjob\.done\b/g, now: 'job.completed' },
  { old: /\bstate\.restored\b/g, now: 'snapshot.restored' },
  {
    old: /\breset-mid-answer\b|\blost-receipt-answer\b|\bkilled-answer\b|\blost-answer\b/g,
    now: 'reset-mid-response, lost-receipt-response, killed-response, lost-response',
    isProse: false,
  },
  { old: /--with-master\b|\bwithMaster\b/g, now: '--with-point-master, withPointMaster', isProse: false },
  { old: /\bminPause\b/g, now: 'minBackoff', isProse: false },
  { old: /\bexec --scenarios\b/g, now: '--matrix', isProse: false },
  {
    old: /\bturnClock\b|\bsteerQueue\b|\bmakeTenant\b|\bremoveTenant\b/g,
    now: 'updateClock, controlQueue, createTenant, deleteTenant',
  },
  { old: /\bisTransport\b/g, now: 'transparentRetry', isProse: false },
  { old: /\bweigh(?:s|t)"?: ?"?(?:fail|inconclusive|remark)/g, now: 'level', isProse: false },
];
