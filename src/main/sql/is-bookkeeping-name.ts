import { foldIdentifier } from './fold-identifier.ts';

/** Whether an object is Concord's own: it never replicates, and nobody's SQL may touch it. */
export function isBookkeepingName(name: string): boolean {
  return foldIdentifier(name).startsWith('_concord_');
}
