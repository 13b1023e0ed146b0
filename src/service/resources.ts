import { challengeResource } from './challenges/resource.ts';
import { consentResource } from './consents/resource.ts';
import { contactResource } from './contacts/resource.ts';
import { importResource } from './imports/resource.ts';
import { orderResource } from './orders/resource.ts';
import { pointResource } from './points/resource.ts';
import { promotionResource } from './promotions/resource.ts';
import { receiptResource } from './receipts/resource.ts';
import type { CardSection } from './resource/card-section.ts';
import type { Resource } from './resource/resource.ts';
import { retailerResource } from './retailer/resource.ts';
import { voucherResource } from './vouchers/resource.ts';

/** Lists the nouns of the service, each after those that its fixtures build on. A new noun is one line. */
export const resources = [
  retailerResource,
  consentResource,
  contactResource,
  pointResource,
  challengeResource,
  promotionResource,
  voucherResource,
  receiptResource,
  orderResource,
  importResource,
] as const satisfies readonly Resource[];

type CardOf<Noun> = Noun extends Resource<infer Card> ? { [Key in keyof Card]: SectionValue<Card[Key]> } : never;
type SectionValue<Section> = Section extends CardSection<infer Value> ? Value : never;
type Intersection<Union> = (Union extends unknown ? (each: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;

/** Holds what the nouns together add to a contact's card. */
export type ResourceCard = Intersection<CardOf<(typeof resources)[number]>>;

/** Returns one part of every noun that has it, in the order of the list. */
export const fromResources = <Part>(partOf: (noun: Resource) => readonly Part[] | undefined): Part[] =>
  resources.flatMap((noun: Resource) => partOf(noun) ?? []);
