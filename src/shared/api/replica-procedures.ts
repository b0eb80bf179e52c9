import { z } from 'zod';

import { SiteId } from '../model/ids.ts';
import { CatalogDiff, ObjectDefinition } from '../model/catalog-diff.ts';
import { Rehearsal } from '../model/rehearsal.ts';
import { JsonSqlValue } from '../model/sql-value.ts';
import {
  BlockedView,
  CatalogView,
  FindingView,
  JournalEntry,
  MigrationView,
  ShapePreview,
} from '../model/views.ts';
import { MigrationType, Verdict } from '../model/vocabulary.ts';
import { FleetReplica, Ref } from './fleet-replica.ts';
import { failure, procedure } from './procedure.ts';
import { RehearseFailures } from './rehearse-failures.ts';
import { ReplicaFailure, ReplicaUnavailable, ReplicaUnknown } from './replica-failures.ts';

const OfReplica = z.strictObject({ ref: Ref });

/** Newest first. `before` is the smallest number of the page before (seq of a migration, id of the rest). */
const PageOfReplica = OfReplica.extend({
  before: z.number().int().optional(),
  limit: z.number().int().min(1).max(1000),
});

/** No catalog of which a person makes sense has more objects. */
const DEFINITIONS_MAX = 100_000;

/** Migrations as JSON, from one host to another; opaque to a page. */
const Carried = z.string().max(16_000_000);

const Sql = z.string().min(1).max(1_000_000);

export const Check = z.enum(['link', 'identity', 'protocol', 'clock', 'schema', 'cursor', 'held', 'blocked']);
export type Check = z.infer<typeof Check>;

/** One line of "Why is nothing arriving?". */
export const ChecklistItem = z.strictObject({
  check: Check,
  /** `stops`: nothing arrives because of it. `note`: worth knowing. `unknown`: an earlier line hides it. */
  verdict: z.enum(['ok', 'stops', 'note', 'unknown']),
  /** One sentence: what, why, next step. */
  text: z.string(),
});
export type ChecklistItem = z.infer<typeof ChecklistItem>;

export const Checklist = z.strictObject({
  /** Null when the replica has no link at all. */
  peer: z.strictObject({ ref: Ref.nullable(), site: SiteId.nullable(), name: z.string() }).nullable(),
  items: z.array(ChecklistItem),
});
export type Checklist = z.infer<typeof Checklist>;

export const StatementOutcome = z.strictObject({
  sql: z.string(),
  columns: z.array(z.string()),
  rows: z.array(z.array(JsonSqlValue)),
  changes: z.number().int(),
});

const statementFacts = { message: z.string(), statement: z.string() };

export const replicaProcedures = {
  'replica.get': procedure({ kind: 'query', input: OfReplica, output: FleetReplica, error: ReplicaUnknown }),
  'replica.catalog': procedure({
    kind: 'query',
    input: OfReplica,
    output: CatalogView,
    error: ReplicaFailure,
  }),
  /** Its schema objects as they are written in the file: what another host compares a catalog with. */
  'replica.definitions': procedure({
    kind: 'query',
    input: OfReplica,
    output: z.array(ObjectDefinition).readonly(),
    error: ReplicaFailure,
  }),
  /** Its catalog at the left, beside another one. */
  'replica.diffCatalog': procedure({
    kind: 'query',
    input: OfReplica.extend({ right: z.array(ObjectDefinition).max(DEFINITIONS_MAX), explain: z.boolean() }),
    output: CatalogDiff,
    error: ReplicaFailure,
  }),
  'replica.migrations': procedure({
    kind: 'query',
    input: PageOfReplica.extend({
      /** All of one object; of a table, also under the names that it had before. */
      object: z.string().min(1).max(1000).optional(),
      verdict: Verdict.optional(),
      type: MigrationType.optional(),
    }),
    output: z.array(MigrationView).readonly(),
    error: ReplicaFailure,
  }),
  'replica.blocked': procedure({
    kind: 'query',
    input: OfReplica,
    output: z.array(BlockedView).readonly(),
    error: ReplicaFailure,
  }),
  'replica.journal': procedure({
    kind: 'query',
    input: PageOfReplica,
    output: z.array(JournalEntry).readonly(),
    error: ReplicaFailure,
  }),
  'replica.findings': procedure({
    kind: 'query',
    input: OfReplica,
    output: z.array(FindingView).readonly(),
    error: ReplicaFailure,
  }),

  /** "Why is nothing arriving?", for one peer or for the one that is worst off. */
  'replica.checklist': procedure({
    kind: 'query',
    input: OfReplica.extend({ peer: Ref.optional() }),
    output: Checklist,
    error: ReplicaFailure,
  }),

  /** What its own rows of a table would go through under another shape. Run on a scratch copy. */
  'replica.previewShape': procedure({
    kind: 'query',
    input: OfReplica.extend({ table: z.string().min(1).max(1000), ddl: Sql }),
    output: ShapePreview,
    error: z.discriminatedUnion('code', [
      ReplicaUnknown,
      ReplicaUnavailable,
      failure('no-such-conflict', { message: z.string() }),
      failure('option-does-not-fit', { message: z.string() }),
      failure('not-supported-yet', { message: z.string() }),
      failure('resolution-failed', { message: z.string() }),
    ]),
  }),

  /** Tries schema statements on a scratch copy. `carried`: what they would send, for `replica.rehearseArrival`. */
  'replica.rehearse': procedure({
    kind: 'query',
    input: OfReplica.extend({ sql: Sql }),
    output: z.strictObject({ rehearsal: Rehearsal, carried: Carried }),
    error: z.discriminatedUnion('code', [ReplicaUnknown, ReplicaUnavailable, ...RehearseFailures]),
  }),
  /** Tries on a scratch copy what a statement that was rehearsed elsewhere would send. */
  'replica.rehearseArrival': procedure({
    kind: 'query',
    input: OfReplica.extend({ carried: Carried }),
    output: Rehearsal,
    error: z.discriminatedUnion('code', [ReplicaUnknown, ReplicaUnavailable, ...RehearseFailures]),
  }),

  /** Runs SQL that only reads, in a process that is killed when it takes too long. */
  'replica.query': procedure({
    kind: 'query',
    input: OfReplica.extend({ sql: Sql }),
    output: z.strictObject({
      columns: z.array(z.string()),
      rows: z.array(z.array(JsonSqlValue)),
      /** There are more rows than the limit of 1,000. */
      truncated: z.boolean(),
      elapsedMs: z.number().int(),
    }),
    error: z.discriminatedUnion('code', [
      ReplicaUnknown,
      ReplicaUnavailable,
      failure('sql-error', { message: z.string() }),
      failure('not-read-only', {}),
      failure('timed-out', { limitMs: z.number().int() }),
      failure('result-too-large', { limitBytes: z.number().int() }),
    ]),
  }),

  /** Runs SQL through Concord: recorded, and travels to the peers. */
  'replica.exec': procedure({
    kind: 'command',
    input: OfReplica.extend({ sql: Sql }),
    output: z.array(StatementOutcome).readonly(),
    error: z.discriminatedUnion('code', [
      ReplicaUnknown,
      ReplicaUnavailable,
      failure('sqlite', statementFacts),
      failure('ddl-syntax', statementFacts),
      failure('refused-statement', statementFacts),
      failure('not-supported-yet', statementFacts),
    ]),
  }),
};
