import type { BlockedDetail } from '#shared/api/blocked-procedures.ts';
import type { ShapePreview } from '#shared/model/views.ts';

import type { NamePart, Sentence } from '../../ui/sentence-model.ts';
import { listed } from '../../ui/sentence-model.ts';
import { valueText } from '../../ui/sql-value-model.ts';
import { counted, number } from '../../ui/words-model.ts';
import type { Preview } from './option-cards-model.ts';

/** One line of the preview, with the mark before it. */
export interface PreviewLine {
  readonly mark: 'fits' | 'held' | 'loses' | 'then' | 'unknown';
  readonly text: Sentence;
}

/** What the scratch run found, and what goes by itself afterwards. */
export function previewLines(preview: Preview, detail: BlockedDetail): readonly PreviewLine[] {
  return [...preview.replicas.flatMap(replicaLines), ...afterLines(preview, detail)];
}

function replicaLines(replica: Preview['replicas'][number]): readonly PreviewLine[] {
  const name: NamePart = { name: replica.name };
  if (replica.shape === null) {
    return [{ mark: 'unknown', text: [name, `: ${replica.note ?? 'cannot be counted now.'}`] }];
  }
  return shapeLines(name, replica.shape);
}

function shapeLines(name: NamePart, shape: ShapePreview): readonly PreviewLine[] {
  const kept = `${counted(shape.rows, 'row')} kept`;
  const converted = shape.rowsConverted === 0 ? 'none converted' : `${number(shape.rowsConverted)} converted`;
  const lines: PreviewLine[] = [
    { mark: 'fits', text: [name, `: ${kept}, ${converted}${shape.lossyCasts === 0 ? ', none loses' : ''}`] },
  ];
  if (shape.lossyCasts > 0) {
    lines.push({
      mark: 'loses',
      text: [
        name,
        `: ${counted(shape.lossyCasts, 'cast')} ${shape.lossyCasts === 1 ? 'loses' : 'lose'} something`,
      ],
    });
  }
  for (const { column, cells } of shape.cellsHeld) {
    lines.push({
      mark: 'held',
      text: [name, `: ${counted(cells, 'value')} of `, { name: column }, ' go to held'],
    });
  }
  if (shape.rowsHeld > 0) {
    lines.push({
      mark: 'held',
      text: [name, `: ${counted(shape.rowsHeld, 'row')} go to held until they get a value`],
    });
  }
  return lines;
}

function afterLines(preview: Preview, detail: BlockedDetail): readonly PreviewLine[] {
  const frees = preview.replicas.filter((replica) => replica.role !== 'other');
  const names = frees.map((replica): NamePart => ({ name: replica.name }));
  const behind = detail.behindChanges + detail.alsoStuck.reduce((sum, stuck) => sum + stuck.behindChanges, 0);
  return [
    ...(behind > 0
      ? [{ mark: 'then', text: [`Then ${counted(behind, 'waiting change')} flow`] } as const]
      : []),
    ...(names.length > 0
      ? [{ mark: 'then', text: [`Frees ${counted(names.length, 'replica')}: `, ...listed(names)] } as const]
      : []),
  ];
}

/** A cast that loses, as one line: `total of 42: '12.50 €' becomes 12.5`. */
export function lossyWords(example: ShapePreview['lossyExamples'][number]): string {
  const key = example.key.map(valueText).join(', ');
  return `${example.column} of ${key}: ${valueText(example.from)} becomes ${valueText(example.to)}`;
}

/** What happens on each replica after the decision, in a few words. */
export interface AfterCell {
  readonly ref: string;
  readonly name: string;
  readonly role: Preview['replicas'][number]['role'];
  readonly words: string;
}

export function afterCells(preview: Preview, detail: BlockedDetail): readonly AfterCell[] {
  return preview.replicas.map(({ ref, name, role, shape, note }) => ({
    ref,
    name,
    role,
    words: afterWords({ role, shape, note, behind: behindOf({ ref, role }, detail) }),
  }));
}

function behindOf(replica: { readonly ref: string; readonly role: string }, detail: BlockedDetail): number {
  if (replica.role === 'here') return detail.behindChanges;
  return detail.alsoStuck.find((stuck) => stuck.ref === replica.ref)?.behindChanges ?? 0;
}

function afterWords(facts: {
  readonly role: AfterCell['role'];
  readonly shape: ShapePreview | null;
  readonly note: string | null;
  readonly behind: number;
}): string {
  const { role, shape, note, behind } = facts;
  if (shape === null) return note ?? 'changes at its next sync';
  const converts =
    shape.rowsConverted > 0
      ? `converts ${counted(shape.rowsConverted, 'row')}`
      : `keeps its ${counted(shape.rows, 'row')}`;
  if (role === 'other') return `${converts} at its next sync`;
  return behind > 0 ? `${converts}, then takes in ${counted(behind, 'change')}` : converts;
}
