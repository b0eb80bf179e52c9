import type { Migration } from '#shared/model/change-group.ts';

import { renderStatement } from '../sql/render-statement.ts';
import { bodyIn } from './bodies-at-work.ts';
import { creationToShow } from './creation-to-show.ts';
import { isEqualText } from './equal-creations.ts';
import { whyNotStandingInFile } from './object-standing.ts';
import type { BodyObject } from './recorded-objects.ts';
import { renderHere } from './render-migration.ts';
import type { ReplicaStore } from './replica-store.ts';

/**
 * Looks for views and triggers that are not what the record says: the creation that shows, in the file with the names that
 * hold here as far as it can stand. Gives one sentence per problem.
 */
export const checkBodies = (store: ReplicaStore): readonly string[] =>
  store.objects.bodies().flatMap((object) => {
    const problem = problemOf(store, object);
    return problem === null ? [] : [`The ${object.kind} ${object.name} ${problem}.`];
  });

function problemOf(store: ReplicaStore, object: BodyObject): string | null {
  const created = store.migrations.byNumber(object.migration);
  if (created === null) return 'is recorded without a creation';
  if (creationToShow(store, created.migration)?.n !== created.n)
    return 'is not the one that its record shows';
  return object.text === null ? null : problemOfText(store, object, created.migration);
}

function problemOfText(
  store: ReplicaStore,
  { kind, name, text }: BodyObject,
  creation: Migration,
): string | null {
  const { views, triggers } = store.catalog.read();
  const found = (kind === 'view' ? views : triggers).get(name);
  if (found?.sql !== text) return 'is recorded with another text than it has in the file';
  const statement = bodyIn(found.sql);
  if (statement === null) return 'cannot be read';
  if (!isEqualText(renderStatement(renderHere(store, creation)), found.sql))
    return 'does not say what its creation says';
  const why = whyNotStandingInFile(store, statement);
  return why === null ? null : `is in the file and does not stand: ${why}`;
}
