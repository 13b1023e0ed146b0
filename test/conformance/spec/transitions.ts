import type { endpoints, Part } from './endpoints.ts';

export interface TransitionRow {
  readonly id: string;
  readonly machine: 'consent' | 'points' | 'promotionAssignment' | 'challenge' | 'contactType';
  readonly part: Part;
  readonly from: string;
  readonly trigger: string;
  readonly condition: string;
  readonly to: string;
  readonly also: string;
}

export const transitions = [
  {
    id: 'consent.notSet→yes',
    machine: 'consent',
    part: 1,
    from: 'Not set',
    trigger: 'contact update with consents item, value true',
    condition: 'none',
    to: 'Yes',
    also: 'date, source and comment are stored',
  },
  {
    id: 'consent.notSet→no',
    machine: 'consent',
    part: 1,
    from: 'Not set',
    trigger: 'contact update with consents item, value false',
    condition: 'none',
    to: 'No',
    also: 'date, source and comment are stored',
  },
  {
    id: 'consent.yes→no',
    machine: 'consent',
    part: 1,
    from: 'Yes',
    trigger: 'update with value false',
    condition: 'none',
    to: 'No',
    also: '',
  },
  {
    id: 'consent.no→yes',
    machine: 'consent',
    part: 1,
    from: 'No',
    trigger: 'update with value true',
    condition: 'none',
    to: 'Yes',
    also: '',
  },
  {
    id: 'consent.yesOrNo→notSet',
    machine: 'consent',
    part: 1,
    from: 'Yes or No',
    trigger: 'any',
    condition: 'none',
    to: 'Not set',
    also: 'Not allowed: a set consent never reverts to Not set.',
  },
  {
    id: 'points.none→pending',
    machine: 'points',
    part: 2,
    from: '(none)',
    trigger: 'bulk transaction with validFrom in the future',
    condition: 'none',
    to: 'Pending',
    also: 'counted in pendingPoints',
  },
  {
    id: 'points.pending→active',
    machine: 'points',
    part: 2,
    from: 'Pending',
    trigger: 'the validFrom date arrives',
    condition: 'none',
    to: 'Active',
    also: 'counted in balance',
  },
  {
    id: 'points.none→active',
    machine: 'points',
    part: 2,
    from: '(none)',
    trigger: 'transaction with no validFrom or a past validFrom',
    condition: 'none',
    to: 'Active',
    also: '',
  },
  {
    id: 'points.none→activeImmediately',
    machine: 'points',
    part: 2,
    from: '(none)',
    trigger: 'points added manually or by an automation',
    condition: 'validFrom is ignored',
    to: 'Active immediately',
    also: '',
  },
  {
    id: 'promotionAssignment.active→used',
    machine: 'promotionAssignment',
    part: 1,
    from: 'Active',
    trigger: 'POST redeem',
    condition: 'none',
    to: 'Used (for that contact)',
    also: 'prevents reuse; the promotion id should also be sent on the receipt',
  },
  {
    id: 'challenge.none→active',
    machine: 'challenge',
    part: 2,
    from: '(none)',
    trigger: 'POST assign',
    condition: 'none',
    to: 'Assigned and active, 0 checkpoints',
    also: 'the call always activates; an existing assignment stays, with response true',
  },
  {
    id: 'challenge.active→active',
    machine: 'challenge',
    part: 2,
    from: 'Active',
    trigger: 'POST checkpoints',
    condition: 'valid contact and definition',
    to: 'Active with completedCheckpoints increased by checkpointAmount',
    also: '',
  },
  {
    id: 'contactType.any→given',
    machine: 'contactType',
    part: 1,
    from: 'any contact type',
    trigger: 'POST updateContactType with contactTypeId=<contact_type>',
    condition: '',
    to: 'the given type',
    also: '',
  },
] as const satisfies readonly TransitionRow[];

export interface FilterRow {
  readonly id: string;
  readonly part: Part;
  readonly endpoint: (typeof endpoints)[number]['id'];
  readonly parameter: string;
  readonly values: readonly string[];
  /** What leaving the parameter out means, where the specification says so. */
  readonly default: string | null;
  readonly mayBeBlank: boolean;
}

export const filters = [
  {
    id: 'challenges.list.filter',
    part: 2,
    endpoint: 'challenges.list',
    parameter: 'filter',
    values: ['All', 'Active', 'Completed', 'NotCompleted'],
    default: null,
    mayBeBlank: false,
  },
  {
    id: 'challenges.listDefinitions.status',
    part: 2,
    endpoint: 'challenges.listDefinitions',
    parameter: 'status',
    values: ['All', 'Active', 'Draft', 'Scheduled', 'Ended'],
    default: 'All',
    mayBeBlank: false,
  },
  {
    id: 'points.listTransactions.filter',
    part: 2,
    endpoint: 'points.listTransactions',
    parameter: 'filter',
    values: ['All', 'Active', 'Pending'],
    default: null,
    mayBeBlank: true,
  },
  {
    id: 'promotions.listAssignments.redemptionChannelType',
    part: 1,
    endpoint: 'promotions.listAssignments',
    parameter: 'redemptionChannelType',
    values: ['POS', 'ECOM'],
    default: null,
    mayBeBlank: false,
  },
] as const satisfies readonly FilterRow[];
