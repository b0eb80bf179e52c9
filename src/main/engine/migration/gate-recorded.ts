import { present } from '#shared/assert.ts';
import { compareStamps } from '#shared/model/hlc.ts';
import type { MigrationId } from '#shared/model/ids.ts';
import type { MigrationType } from '#shared/model/vocabulary.ts';

import { groupLives, isAbout, showingCreation } from './group-lives.ts';
import type { IsEqualDefinition, KnownMigration, Life } from './group-lives.ts';
import { isCreation, isDrop } from './precedence.ts';

export type RecordedVerdict =
  /** Nothing recorded stands against it: the catalog decides. */
  | {
      readonly verdict: 'proceed';
      /** Of the drop of a view or trigger: an older creation that shows again once this one is gone. */
      readonly reveals: MigrationId | null;
    }
  | {
      readonly verdict: 'alreadyApplied';
      readonly by: MigrationId;
      /** The creation that this one is one with: its IDs are further names of the other's, or the reverse. */
      readonly twinOf: MigrationId | null;
    }
  | {
      readonly verdict: 'superseded';
      readonly by: MigrationId;
      readonly twinOf: MigrationId | null;
      /**
       * Creations of lives that end by it, and of which the caller drops what is there: a twin or a redefine_table made them
       * one with something whose drop was here first.
       */
      readonly ends: readonly MigrationId[];
    };

export interface RecordedFacts {
  readonly arriving: KnownMigration;
  /**
   * What is recorded under the name that the element was created with, every life of it, and for the element's own
   * registers; in any order.
   */
  readonly history: readonly KnownMigration[];
  readonly isEqual: IsEqualDefinition;
}

/**
 * Gate 1: is this migration, or something that beats it, already recorded?
 *
 * The answer depends on the set of what is recorded, not on the order in which it came (SCHEMA-001). A creation that is one with
 * another is applied already, under whatever name the other has by now. An alteration of something that was dropped
 * proceeds: the catalog then says what is gone.
 */
export function gateRecorded(facts: RecordedFacts): RecordedVerdict {
  const { arriving, history } = facts;
  if (history.some(({ id }) => id === arriving.id)) return alreadyApplied(arriving.id);
  if (isCreation(arriving.type)) return gateCreation(facts);
  if (isDrop(arriving.type)) return gateDrop(facts);
  return gateAlteration(facts);
}

function gateCreation(facts: RecordedFacts): RecordedVerdict {
  const { arriving, history, isEqual } = facts;
  const lives = groupLives([...history, arriving], isEqual);
  const own = lives.find(({ creations }) => creations.includes(arriving));
  const twinOf = own?.creations.find((creation) => creation !== arriving)?.id ?? null;
  const winner =
    own?.drops[0] ?? history.find(({ unifies }) => own?.creations.some(({ id }) => unifies.includes(id)));
  if (winner !== undefined) return superseded(winner, { twinOf, ends: endedLives(facts, own) });
  if (isReplaceable(arriving.type)) return gateReplacement(facts, lives);
  return twinOf === null ? proceed() : alreadyApplied(twinOf, twinOf);
}

/** Of several lives the latest creation shows, and a twin may carry its life over another. */
function gateReplacement(
  { arriving, history, isEqual }: RecordedFacts,
  lives: readonly Life[],
): RecordedVerdict {
  const before = showingCreation(groupLives(history, isEqual));
  if (before === undefined) return proceed();
  if (isEqual(before.id, arriving.id)) return alreadyApplied(before.id, before.id);
  return showingCreation(lives) === before ? superseded(before) : proceed();
}

/** Views and triggers hold no rows: of two different ones the later simply shows. */
const isReplaceable = (type: MigrationType): boolean =>
  type === 'create_view' || type === 'create_trigger' || type === 'drop_view' || type === 'drop_trigger';

function gateDrop({ arriving, history, isEqual }: RecordedFacts): RecordedVerdict {
  const lives = groupLives(history, isEqual);
  if (lives.length === 0) return proceed();
  const meant = lives.filter(({ creations }) => isAbout(arriving, creations));
  if (meant.some(({ drops }) => drops.length === 0)) {
    const left = groupLives([...history, arriving], isEqual);
    return proceed(isReplaceable(arriving.type) ? showingCreation(left)?.id : undefined);
  }
  const [drop] = meant.flatMap(({ drops }) => drops);
  return drop === undefined ? outlived(lives) : alreadyApplied(drop.id);
}

function gateAlteration({ arriving, history, isEqual }: RecordedFacts): RecordedVerdict {
  const lives = groupLives([...history, arriving], isEqual);
  const united = lives.find(({ creations }) => creations.some(({ id }) => arriving.unifies.includes(id)));
  const [drop] = united?.drops ?? [];
  if (drop !== undefined)
    return superseded(drop, { ends: endedLives({ arriving, history, isEqual }, united) });
  const alive = lives.filter(({ drops }) => drops.length === 0);
  if (
    united === undefined &&
    alive.length > 0 &&
    !alive.some(({ creations }) => isAbout(arriving, creations))
  )
    return outlived(alive);
  const unified = [...arriving.unifies, ...(united?.creations ?? []).map(({ id }) => id)];
  const rival = history.find(
    (recorded) => isLaterRival(recorded, arriving) && isOfOneLife(recorded.unifies, unified),
  );
  return rival === undefined ? proceed() : superseded(rival);
}

/** Lives that were there before and are part of a dropped one now that the migration has come. */
function endedLives({ history, isEqual }: RecordedFacts, dropped: Life | undefined): readonly MigrationId[] {
  if (dropped === undefined || dropped.drops.length === 0) return [];
  return groupLives(history, isEqual)
    .filter(({ creations, drops }) => drops.length === 0 && dropped.creations.includes(creations[0]))
    .map(({ creations }) => creations[0].id);
}

/** Of one register the later stamp holds. */
const isLaterRival = (recorded: KnownMigration, arriving: KnownMigration): boolean =>
  recorded.register === arriving.register &&
  !isCreation(recorded.type) &&
  !isDrop(recorded.type) &&
  compareStamps(recorded.stamp, arriving.stamp) > 0;

/** Decisions about tables that only had the same name are no rivals. */
const isOfOneLife = (left: readonly MigrationId[], right: readonly MigrationId[]): boolean =>
  left.length === 0 || right.length === 0 || left.some((id) => right.includes(id));

const proceed = (reveals: MigrationId | null = null): RecordedVerdict => ({ verdict: 'proceed', reveals });

const alreadyApplied = (by: MigrationId, twinOf: MigrationId | null = null): RecordedVerdict => ({
  verdict: 'alreadyApplied',
  by,
  twinOf,
});

/** It was written about an older life than the one that is here: it touches nothing. */
const outlived = (lives: readonly Life[]): RecordedVerdict =>
  superseded(present(lives.at(-1), 'there is a newer life').creations[0]);

function superseded(
  by: KnownMigration,
  {
    twinOf = null,
    ends = [],
  }: { readonly twinOf?: MigrationId | null; readonly ends?: readonly MigrationId[] } = {},
): RecordedVerdict {
  return { verdict: 'superseded', by: by.id, twinOf, ends };
}
