/** Keeps what became of the files that receipts came in: the integration log. */
import type { Table } from '../../core/state/state.ts';
import type { Instant } from '../../core/time/clock.ts';

/** Says something about a place in a file. */
export interface ImportNote {
  /** Names the rule: `unknown-store`, `repeated-receipt`, … */
  readonly code: string;
  readonly message: string;
  /** Counts from 1, as column does; null where the whole file is meant. */
  readonly line: number | null;
  readonly column: number | null;
  readonly uniqueReceiptId: string | null;
}

/** Counts the receipts of a file by what became of them. */
export interface ImportCounts {
  readonly receipts: number;
  readonly imported: number;
  /** Counts those that were there already. */
  readonly repeated: number;
  /** Counts those that belong to nobody, and are ignored. */
  readonly unknownContact: number;
  /** Counts those that are invalid, where only they are refused. */
  readonly refused: number;
}

/** `withdrawn`: its sender deleted it before a batch took it. */
export const importStatuses = ['imported', 'refused', 'withdrawn'] as const;

export interface ImportedFile extends ImportCounts {
  /** Counts the files of a tenant from 1. */
  readonly number: number;
  /** Counts the batches of a tenant from 1. */
  readonly batch: number;
  readonly at: Instant;
  readonly name: string;
  readonly bytes: number;
  /** Tells whether two files are the same. */
  readonly digest: string;
  readonly status: (typeof importStatuses)[number];
  /** Holds the uniqueReceiptId of receipts that did not come in with this file, the first thousand. */
  readonly missing: readonly string[];
  /** Says why the file was refused, or that it was withdrawn. */
  readonly reason: ImportNote | null;
  /** Holds the first notes; `notesOmitted` counts the others. */
  readonly notes: readonly ImportNote[];
  readonly notesOmitted: number;
  /** Holds the path of a refused file below the folder. */
  readonly keptAs: string | null;
}

export const importedFiles: Table<ImportedFile> = {
  name: 'importedFiles',
  scope: 'state',
  key: ({ number }) => String(number),
  lists: {
    byBatch: ({ batch, number }) => ({ of: String(batch), order: number }),
    // A refused file may be right the next time.
    byDigest: ({ digest, status, number }) => (status === 'imported' ? { of: digest, order: number } : undefined),
  },
  timestampFields: ['at'],
};

/** Describes one run of the import job. */
export interface ImportBatch {
  readonly number: number;
  readonly at: Instant;
  /** Says why it took nothing; null when it did its work. */
  readonly error: string | null;
}

export const importBatches: Table<ImportBatch> = {
  name: 'importBatches',
  scope: 'state',
  key: ({ number }) => String(number),
  lists: { all: ({ number }) => ({ of: 'all', order: number }) },
  timestampFields: ['at'],
};
