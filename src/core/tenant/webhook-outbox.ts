import type { ClockedWork } from '../time/clocked-work.ts';
import type { Instant } from '../time/clock.ts';
import type { Steps } from '../time/steps.ts';
import type { Table } from '../state/state.ts';
import type { TenantContext } from './context.ts';

/**
 * Counts what is exchanged with whoever listens at the webhook, in both directions: on a clock that stands still this
 * alone tells what came first.
 */
export const logicalClockSequence = 'webhookTurn';

/** Describes one try to deliver. */
export interface WebhookAttempt {
  /** Holds the turns between which it was under way. */
  readonly turns: readonly [before: number, after: number];
  /** Counts on the tenant's clock. */
  readonly at: Instant;
  /** Holds the real time that it took. */
  readonly ms: number;
  /** Is absent when no response came. */
  readonly status?: number;
  /** Says in words why it did not deliver. */
  readonly error?: string;
  /** Holds the fault that a rule injected. */
  readonly fault?: WebhookAttemptFault;
  /** Holds the rule's id. */
  readonly rule?: string;
}

/**
 * Lists the faults of an attempt: it is never sent, sent twice, later, after the next one, altered on the way, encrypted
 * with a key that nobody has, or with another key from now on.
 */
export const webhookAttemptFaults = [
  'drop',
  'duplicate',
  'delay',
  'reorder',
  'tamper',
  'wrong-key',
  'rotated-key',
] as const;
export type WebhookAttemptFault = (typeof webhookAttemptFaults)[number];

/** Describes an injected fault of a delivery: of an attempt, or of its time. */
export type WebhookFault =
  | { readonly kind: Exclude<WebhookAttemptFault, 'rotated-key' | 'delay' | 'reorder'> }
  | { readonly kind: 'reorder' }
  | { readonly kind: 'rotated-key'; readonly key: string }
  /** Counts on the tenant's clock, in ms. */
  | { readonly kind: 'delay'; readonly by: number };

/** Holds an attempt that is due, as rules see it. */
export interface DeliveryAttempt {
  readonly delivery: WebhookDelivery;
  readonly tenant: TenantContext;
}

/** Says what goes wrong with a tenant's deliveries, and when. */
export interface WebhookFaultPlan {
  /** True when to select a fault may take long, unless that was prepared. */
  readonly isSearch: boolean;
  /** Finds out what an attempt matches, in steps. */
  readonly prepare: (attempt: DeliveryAttempt) => Steps;
  /** Holds the fault of the attempt that is due, if any, and the id of its rule; counts the attempt. */
  readonly select: (
    attempt: DeliveryAttempt,
    now: Instant,
  ) => { readonly rule: string; readonly fault: WebhookFault } | undefined;
}

/** Describes something that is sent to whoever listens at the webhook, and how that went. */
export interface WebhookDelivery {
  readonly id: string;
  /** Counts a tenant's deliveries. */
  readonly number: number;
  readonly eventType: string;
  readonly payload: object;
  readonly createdAt: Instant;
  /** Holds the exchange that it came of. */
  readonly exchange?: string;
  /** `missed`: there was no webhook to send it to. */
  readonly status: 'pending' | 'delivered' | 'failed' | 'missed';
  /** Says when it is to be tried, while it is pending. */
  readonly dueAt: Instant;
  readonly attempts: readonly WebhookAttempt[];
  /** Counts the attempts before it was last requested: retries are counted from there. */
  readonly attemptsBefore: number;
  /** Says after how many attempts the next was postponed, and by which rule: it is hit by no other. */
  readonly postponed?: {
    readonly attempts: number;
    readonly fault: 'delay' | 'reorder';
    readonly rule: string;
  };
}

/** Returns the stage of a delivery: its status, and of a pending one whether it was attempted. */
export const deliveryStages = ['pending', 'retrying', 'delivered', 'failed', 'missed'] as const;
export type DeliveryStage = (typeof deliveryStages)[number];

const deliveryStage = ({ status, attempts }: WebhookDelivery): DeliveryStage =>
  status === 'pending' && attempts.length > 0 ? 'retrying' : status;

export const eventStageKey = (eventType: string, stage: DeliveryStage): string => `${eventType}/${stage}`;

export const webhookDeliveries: Table<WebhookDelivery> = {
  name: 'webhookDeliveries',
  scope: 'webhooks',
  key: ({ id }) => id,
  lists: {
    all: ({ number }) => ({ of: 'all', order: number }),
    byKind: (delivery) => ({ of: eventStageKey(delivery.eventType, deliveryStage(delivery)), order: delivery.number }),
    pending: ({ status, dueAt, number }) =>
      status === 'pending' ? { of: 'all', order: dueAt, tie: number } : undefined,
  },
  timestampFields: ['createdAt', 'dueAt', 'attempts.at'],
};

/**
 * Sends what a tenant has to say. Watches the tenant and works in real time: what it does is no part of the request
 * that it comes of.
 */
export type WebhookSender = ClockedWork;

/** Names the attempts of deliveries among the executed jobs. */
export const webhookAttemptKind = 'webhooks.attempt';

/** Describes something that happened, to be sent. */
export interface WebhookEvent {
  readonly eventType: string;
  readonly payload: object;
}

/** Tells whoever listens at the webhook of something; where there is none it is kept as missed, and warned about. */
export function enqueueWebhook(tenant: TenantContext, { eventType, payload }: WebhookEvent): WebhookDelivery {
  const last = tenant.list(webhookDeliveries, 'all', 'all').last();
  const isMissed = tenant.settings.webhook === undefined;
  if (isMissed) {
    const message = `no webhook is configured, so ${eventType} is sent to nobody and is missed; set webhookUrl and webhookKey`;
    tenant.warn('webhook-missed', message);
  }
  const { currentExchange: exchange } = tenant;
  return tenant.put(webhookDeliveries, {
    id: tenant.newEventId(),
    number: (last?.order ?? 0) + 1,
    eventType,
    payload,
    createdAt: tenant.now(),
    ...(exchange !== undefined && { exchange }),
    status: isMissed ? 'missed' : 'pending',
    dueAt: tenant.now(),
    attempts: [],
    attemptsBefore: 0,
  });
}
