import type { BlockedDetail } from '#shared/api/blocked-procedures.ts';
import type { Output } from '#shared/api/types.ts';
import { ResolutionOption } from '#shared/model/vocabulary.ts';

import { OPTION_TITLES } from '../../ui/option-words.ts';
import { listed, sentenceText } from '../../ui/sentence-model.ts';
import { counted } from '../../ui/words-model.ts';

export type Preview = Output<'blocked.preview'>;

/** One way out as a card: what it is called, what comes of it in one line, and its price in two words. */
export interface OptionCard {
  readonly option: ResolutionOption;
  readonly title: string;
  readonly consequence: string;
  readonly price: string;
  readonly priceTone: 'safe' | 'risk' | 'plain';
}

/** The cards of the options that the host offers, in the order of the vocabulary with the two shapes first. */
export function optionCards(facts: {
  readonly detail: BlockedDetail;
  readonly hereName: string;
  readonly previewByOption: ReadonlyMap<ResolutionOption, Preview>;
}): readonly OptionCard[] {
  const { detail, hereName, previewByOption } = facts;
  return ORDER.filter((option) => detail.options.includes(option)).map((option) => {
    const preview = previewByOption.get(option);
    return {
      option,
      title: OPTION_TITLES[option],
      consequence: consequence({ option, detail, hereName, preview }),
      ...price(option, preview),
    };
  });
}

const ORDER: readonly ResolutionOption[] = [
  'takeRemote',
  'keepLocal',
  ...ResolutionOption.options.filter((option) => option !== 'takeRemote' && option !== 'keepLocal'),
];

/** Names of the two sides as the cards say them: the makers of the definitions where they are known. */
function sideName(detail: BlockedDetail, side: 'local' | 'remote', fallback: string): string {
  return detail.sides.find((candidate) => candidate.side === side)?.name ?? fallback;
}

function consequence(facts: {
  readonly option: ResolutionOption;
  readonly detail: BlockedDetail;
  readonly hereName: string;
  readonly preview: Preview | undefined;
}): string {
  const { option, detail, hereName, preview } = facts;
  const { object } = detail;
  switch (option) {
    case 'takeRemote': {
      const remote = sideName(detail, 'remote', detail.fromName);
      return `${changingWords(preview, hereName)} ${object} to ${remote}’s shape. ${rowsWords(preview)}`;
    }
    case 'keepLocal': {
      const local = sideName(detail, 'local', hereName);
      return `${changingWords(preview, null)} ${object} to ${local}’s shape. ${rowsWords(preview)}`;
    }
    case 'merge':
      return 'One table with the columns of both. Every row stays.';
    case 'renameLocalAside':
      return `The ${detail.kind} here gets another name and keeps its rows. They are not merged.`;
    case 'setAside':
      return `The line goes on now. Changes to ${object} are held until you decide.`;
    case 'retry':
      return 'Tries the same batch again. While both shapes stand as they are, it blocks again.';
    case 'newSite':
      return `The file of ${detail.fromName} becomes another replica: it keeps its rows and what it wrote since, and all is compared once.`;
    case 'skip':
      return 'Leaves the batch out. What it held must be compared afterwards; the replica stays amber until then.';
  }
}

/** Whose rows are converted; before that is counted, the one that is decided on or the others. */
function changingWords(preview: Preview | undefined, hereName: string | null): string {
  const changing = (preview?.replicas ?? []).filter(({ shape }) => (shape?.rowsConverted ?? 0) > 0);
  if (changing.length === 0) return hereName === null ? 'The others change' : `${hereName} changes`;
  const names = sentenceText(listed(changing.map(({ name }) => ({ name }))));
  return `${names} ${changing.length === 1 ? 'changes' : 'change'}`;
}

function rowsWords(preview: Preview | undefined): string {
  if (preview === undefined) return 'Rows of both sides are kept under it.';
  const totals = previewTotals(preview);
  const parts = [
    totals.converted > 0 ? `${counted(totals.converted, 'row')} converted` : 'no row converted',
    totals.lossy > 0 ? `${counted(totals.lossy, 'cast')} lose` : null,
    totals.cellsHeld > 0 ? `${counted(totals.cellsHeld, 'value')} held` : null,
    totals.rowsHeld > 0 ? `${counted(totals.rowsHeld, 'row')} held` : null,
  ].filter((part) => part !== null);
  const text = parts.join(', ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function price(
  option: ResolutionOption,
  preview: Preview | undefined,
): Pick<OptionCard, 'price' | 'priceTone'> {
  switch (option) {
    case 'takeRemote':
    case 'keepLocal':
      return shapePrice(preview);
    case 'merge':
    case 'renameLocalAside':
    case 'newSite':
      return { price: 'loses nothing', priceTone: 'safe' };
    case 'setAside':
      return { price: 'can wait', priceTone: 'safe' };
    case 'retry':
      return { price: 'no effect now', priceTone: 'plain' };
    case 'skip':
      return { price: 'leaves a debt', priceTone: 'risk' };
  }
}

function shapePrice(preview: Preview | undefined): Pick<OptionCard, 'price' | 'priceTone'> {
  if (preview === undefined) return { price: 'preview counts', priceTone: 'plain' };
  const { lossy, cellsHeld, rowsHeld } = previewTotals(preview);
  if (lossy > 0)
    return { price: lossy === 1 ? '1 cast loses' : `${counted(lossy, 'cast')} lose`, priceTone: 'risk' };
  if (cellsHeld + rowsHeld > 0) return { price: 'some held', priceTone: 'risk' };
  return { price: 'loses nothing', priceTone: 'safe' };
}

export interface PreviewTotals {
  readonly rows: number;
  readonly converted: number;
  readonly lossy: number;
  readonly cellsHeld: number;
  readonly rowsHeld: number;
  /** Replicas on which casts lose something. */
  readonly losingReplicas: number;
}

/** Sums over all replicas that the console reaches; where none is told apart, the figures of the one decided on. */
export function previewTotals(preview: Preview): PreviewTotals {
  const shapes = preview.replicas.flatMap(({ shape }) => (shape === null ? [] : [shape]));
  const all = shapes.length > 0 ? shapes : [preview];
  const sum = (read: (shape: (typeof all)[number]) => number): number =>
    all.reduce((total, shape) => total + read(shape), 0);
  return {
    rows: sum((shape) => shape.rows),
    converted: sum((shape) => shape.rowsConverted),
    lossy: sum((shape) => shape.lossyCasts),
    cellsHeld: sum((shape) => shape.cellsHeld.reduce((cells, held) => cells + held.cells, 0)),
    rowsHeld: sum((shape) => shape.rowsHeld),
    losingReplicas: all.filter((shape) => shape.lossyCasts > 0).length,
  };
}
