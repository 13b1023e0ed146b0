/** Which case shows that a row of the specification's rules, transitions and errors holds. */
import { expect } from 'vitest';
import { endpoints } from '../../src/service/endpoints.ts';
import { challengeErrors, challengeRules, challengeTransitions } from './cases/challenges.ts';
import { consentRules, consentTransitions } from './cases/consents.ts';
import { contactErrors, contactRules, contactTransitions } from './cases/contacts.ts';
import { followerRules } from './cases/follower.ts';
import { pointErrors, pointRules, pointTransitions } from './cases/points.ts';
import { promotionRules, promotionTransitions, purchaseErrors, receiptRules, wireRules } from './cases/purchases.ts';
import type { errors as errorRows } from './spec/errors.ts';
import type { rules as ruleRows } from './spec/rules.ts';
import type { transitions as transitionRows } from './spec/transitions.ts';
import type { Case } from './world.ts';

type IdOf<Rows extends readonly { readonly id: string }[]> = Rows[number]['id'];

/** A row that says nothing which the service could get wrong. */
export interface Guidance {
  readonly guidance: string;
}

const guidance = (text: string): Guidance => ({ guidance: text });

/** Every path has the prefix, or stands without it in the specification. */
const prefixed: Case = async () => {
  const paths = endpoints.flatMap(({ path, aliases = [] }) => [path].concat(aliases));
  const bare = paths.filter((path) => !path.startsWith('/api/v3/'));
  expect(bare.toSorted()).toEqual(['/consents', '/contactoverview', '/orders', '/orders/jobs/{jobId}']);
};

export const rules: Readonly<Record<IdOf<typeof ruleRows>, Case | Guidance>> = {
  ...wireRules,
  ...contactRules,
  ...consentRules,
  ...receiptRules,
  ...promotionRules,
  ...challengeRules,
  ...challengeErrors,
  ...pointRules,
  ...followerRules,
  'intro.pathPrefix': prefixed,
  'version.path': prefixed,
  'general.rule.2': guidance('what a client does'),
  'consentDefinition.displayText': guidance('where a client shows the texts'),
  'version.rule.4': guidance('what an earlier version was like'),
  'receipt.rule.5': guidance('files by FTP are no part of the API'),
};

export const transitions: Readonly<Record<IdOf<typeof transitionRows>, Case>> = {
  ...consentTransitions,
  ...contactTransitions,
  ...promotionTransitions,
  ...challengeTransitions,
  ...pointTransitions,
};

export const errors: Readonly<Record<IdOf<typeof errorRows>, Case | Guidance>> = {
  ...contactErrors,
  ...purchaseErrors,
  ...pointErrors,
  'error.serverFailure': guidance('what a scenario causes'),
};
