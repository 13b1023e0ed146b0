import type { Endpoint } from '../../core/exchange/endpoint.ts';
import type { Table } from '../../core/state/state.ts';
import type { TenantContext } from '../../core/tenant/context.ts';
import type { JobHandlers } from '../../core/time/scheduler.ts';
import type { CardSection, CardSections } from './card-section.ts';
import type { ThingWording } from './business-thing.ts';
import type { DuplicateWording } from './duplicate-wording.ts';
import type { FixtureSection } from './fixture-section.ts';
import type { GeneratedRows } from './generated-rows.ts';
import type { Headline } from './headline.ts';
import type { ResourceChecks } from './resource-check.ts';
import type { TriggerEvent } from './trigger-event.ts';
import type { StateField } from './state-field.ts';
import type { SubjectNames } from './subject-names.ts';

/** Returns the id of the contact that owns something; undefined when there is no such thing. */
export type ContactLookup = (tenant: TenantContext, id: string) => string | undefined;

/**
 * Holds everything that the simulator must know of one noun of the service. Whoever reads endpoints, tables, fixtures or
 * reports loops over the list in `service/resources.ts`, so that a new noun is a folder and a line there.
 */
export interface Resource<Card extends CardSections = CardSections> {
  /** Holds the noun in the plural, as its folder is named; it heads the changes of its tables. */
  readonly name: string;
  readonly endpoints?: readonly Endpoint[];
  /** Holds the handlers of its queued work and timers, by kind. */
  readonly jobs?: JobHandlers;
  /** Lists its tables, which are saved, loaded again and reset. `never` is what the functions of every table accept. */
  readonly tables?: readonly Table<never>[];
  /** Says for each of its tables which fields of a row are shown first. */
  readonly headlines?: readonly Headline[];
  /** Holds the sections of a fixture file that fill its tables. */
  readonly fixtures?: readonly FixtureSection[];
  /** Declares its sections of a generated fixture. */
  readonly generated?: GeneratedRows;
  /** Holds the tables whose rows the start banner counts, each with what it calls them. */
  readonly banner?: Readonly<Record<string, string>>;
  /** Holds the names of its ids in paths, queries and bodies, each with the contact that the id belongs to. */
  readonly references?: Readonly<Record<string, ContactLookup>>;
  /** Names what its ids and keys mean, by which the verdict finds out whether two requests are about one thing. */
  readonly subjects?: SubjectNames;
  /** Holds the sentences of the verdict on what took effect more than once. */
  readonly wording?: readonly DuplicateWording[];
  /** Says what the changes of its tables mean to a shop, for comparing states. */
  readonly things?: readonly ThingWording[];
  /** Judges what clients did to it otherwise than by requests, as the verdict has to. */
  readonly checks?: ResourceChecks;
  /** Holds the keys that a scenario's expected state has for it. */
  readonly state?: Readonly<Record<string, StateField>>;
  /** Holds the events that a tester can let happen in it, by name. */
  readonly triggers?: Readonly<Record<string, () => TriggerEvent>>;
  /** Makes its parts of a contact's card; their schemas are built when a card is first needed. */
  readonly card?: () => Card;
}

/** Declares a noun of the service. */
export const resource = <Card extends CardSections = Record<never, CardSection>>(
  declared: Resource<Card>,
): Resource<Card> => declared;
