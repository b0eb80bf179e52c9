import type { BlockedDetail } from '#shared/api/blocked-procedures.ts';
import type { ShapePreview } from '#shared/model/views.ts';

import type { NamePart, Sentence } from '../../ui/sentence-model.ts';
import { listed } from '../../ui/sentence-model.ts';
import { valueText } from '#shared/model/sql-value-text.ts';
import { counted } from '../../ui/words-model.ts';
import type { Preview } from './option-cards-model.ts';

/** One line of the preview, with the mark before it. */
export interface PreviewLine {
  readonly mark: 'fits' | 'held' | 'loses' | 'then' | 'unknown';
  readonly text: Sentence;
}

/** What the scratch runs found over all replicas, and what goes by itself afterwards. */
export function previewLines(preview: Preview, detail: BlockedDetail): readonly PreviewLine[] {
  const shapes = preview.replicas.flatMap(({ name, shape }) => (shape === null ? [] : [{ name, shape }]));
  return [
    ...fitLines(shapes),
    ...lossLines(shapes),
    ...heldLines(shapes),
    ...preview.replicas.filter(({ shape }) => shape === null).map(unknownLine),
    ...afterLines(preview, detail),
  ];
}

interface CountedShape {
  readonly name: string;
  readonly shape: ShapePreview;
}

function fitLines(shapes: readonly CountedShape[]): readonly PreviewLine[] {
  const converting = shapes.filter(({ shape }) => shape.rowsConverted > 0);
  const keeping = shapes.filter(({ shape }) => shape.rowsConverted === 0);
  const lossless = converting.every(({ shape }) => shape.lossyCasts === 0);
  return [
    ...line(converting, {
      mark: 'fits',
      verbs: ['converts', 'convert'],
      rest: ` ${counted(
        total(converting, (shape) => shape.rowsConverted),
        'row',
      )}${lossless ? ', none loses' : ''}`,
    }),
    ...line(keeping, {
      mark: 'fits',
      verbs: ['keeps', 'keep'],
      rest: ` ${counted(
        total(keeping, (shape) => shape.rows),
        'row',
      )} as they are`,
    }),
  ];
}

function lossLines(shapes: readonly CountedShape[]): readonly PreviewLine[] {
  const losing = shapes.filter(({ shape }) => shape.lossyCasts > 0);
  const casts = total(losing, (shape) => shape.lossyCasts);
  return line(losing, {
    mark: 'loses',
    verbs: ['loses', 'lose'],
    rest: ` something in ${counted(casts, 'cast')}`,
  });
}

function heldLines(shapes: readonly CountedShape[]): readonly PreviewLine[] {
  const columns = [...new Set(shapes.flatMap(({ shape }) => shape.cellsHeld.map(({ column }) => column)))];
  const cellsOf = (shape: ShapePreview, column: string): number =>
    shape.cellsHeld.find((held) => held.column === column)?.cells ?? 0;
  const cellLines = columns.map((column): PreviewLine => {
    const cells = total(shapes, (shape) => cellsOf(shape, column));
    return {
      mark: 'held',
      text: [`${counted(cells, 'value')} of `, { name: column }, ` ${cells === 1 ? 'goes' : 'go'} to held`],
    };
  });
  const rows = total(shapes, (shape) => shape.rowsHeld);
  const rowLine: PreviewLine = {
    mark: 'held',
    text: [
      `${counted(rows, 'row')} ${rows === 1 ? 'is' : 'are'} held until the value that is demanded is there`,
    ],
  };
  return rows === 0 ? cellLines : [...cellLines, rowLine];
}

function unknownLine({ name, note }: Preview['replicas'][number]): PreviewLine {
  return { mark: 'unknown', text: [{ name }, `: ${note ?? 'cannot be counted now.'}`] };
}

function line(
  shapes: readonly CountedShape[],
  said: {
    readonly mark: PreviewLine['mark'];
    readonly verbs: readonly [one: string, more: string];
    readonly rest: string;
  },
): readonly PreviewLine[] {
  if (shapes.length === 0) return [];
  const verb = shapes.length === 1 ? said.verbs[0] : said.verbs[1];
  return [
    { mark: said.mark, text: [...listed(shapes.map(({ name }) => ({ name }))), ` ${verb}${said.rest}`] },
  ];
}

function total(shapes: readonly CountedShape[], read: (shape: ShapePreview) => number): number {
  return shapes.reduce((sum, { shape }) => sum + read(shape), 0);
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
