import type { BlockedDetail } from '#shared/api/blocked-procedures.ts';
import type { ResolutionOption } from '#shared/model/vocabulary.ts';

import { previewTotals } from './option-cards-model.ts';
import type { Preview } from './option-cards-model.ts';

/** What must be given before a decision is applied, and whether it can be now. */
export interface ApplyTerms {
  /** `plain`: loses nothing. `danger`: something can be lost, so the object's name is typed. */
  readonly tone: 'plain' | 'danger';
  readonly needsPreview: boolean;
  readonly needsName: boolean;
  /** The number of replicas to type where more than one loses something; null where none is asked for. */
  readonly needsReplicas: number | null;
  /** Why it cannot be applied yet; null when it can. Stands beside the button. */
  readonly missing: string | null;
}

export interface ApplyInput {
  readonly option: ResolutionOption;
  readonly object: string;
  readonly preview: Preview | undefined;
  readonly because: string;
  readonly typedName: string;
  readonly typedReplicas: string;
}

/** Levels of look.md: preview and reason always; the name where a cast loses; the count where more replicas lose. */
export function applyTerms(input: ApplyInput): ApplyTerms {
  const needsPreview =
    input.option === 'takeRemote' || input.option === 'keepLocal' || input.option === 'merge';
  const totals = input.preview === undefined ? null : previewTotals(input.preview);
  const needsName = totals !== null && totals.lossy > 0;
  const needsReplicas = totals !== null && totals.losingReplicas > 1 ? totals.losingReplicas : null;
  return {
    tone: needsName ? 'danger' : 'plain',
    needsPreview,
    needsName,
    needsReplicas,
    missing: missingWords(input, { needsPreview, needsName, needsReplicas }),
  };
}

function missingWords(
  input: ApplyInput,
  needs: Pick<ApplyTerms, 'needsPreview' | 'needsName' | 'needsReplicas'>,
): string | null {
  if (needs.needsPreview && input.preview === undefined) return 'Preview it first.';
  if (input.because.trim() === '') return 'Say why; it goes into the decision journal.';
  if (needs.needsName && input.typedName.trim() !== input.object) return `Type ${input.object} to confirm.`;
  if (needs.needsReplicas !== null && input.typedReplicas.trim() !== String(needs.needsReplicas)) {
    return `Type the number of replicas that lose something: ${needs.needsReplicas}.`;
  }
  return null;
}

/** Verb and object for the button; the two shapes are named by whose they are. */
export function applyLabel(option: ResolutionOption, detail: BlockedDetail): string {
  const { object } = detail;
  switch (option) {
    case 'takeRemote':
      return `Take ${possessive(detail, 'remote')} ${object}`;
    case 'keepLocal':
      return `Keep ${possessive(detail, 'local')} ${object}`;
    case 'merge':
      return `Merge ${object}`;
    case 'renameLocalAside':
      return `Rename ${object} aside`;
    case 'setAside':
      return `Set ${object} aside`;
    case 'retry':
      return 'Retry the batch';
    case 'skip':
      return 'Skip the batch';
    case 'newSite':
      return `Take ${detail.fromName} on as a new site`;
  }
}

function possessive(detail: BlockedDetail, side: 'local' | 'remote'): string {
  const name = detail.sides.find((candidate) => candidate.side === side)?.name;
  return name === undefined ? side : `${name}’s`;
}
