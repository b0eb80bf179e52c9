import type { Rehearsal } from '#shared/model/rehearsal.ts';
import { countWords, sizeWords } from './count-words.ts';
import type { RehearsedHere } from './rehearse-command.ts';
import { textTable } from './text-table.ts';

/** What was rehearsed, for people: a line a replica, then what needs words. */
export function rehearsedText(all: readonly RehearsedHere[]): string {
  const columns = [
    { title: 'Replica' },
    { title: 'Would' },
    { title: 'Rows', isNumber: true },
    { title: 'Bytes', isNumber: true },
    { title: 'Why' },
  ];
  const parts = [
    textTable(columns, all.map(rowOf)),
    ...all.map(detailText).filter((text) => text !== ''),
    resultText(all),
    'Nothing was changed.',
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

const OUTCOMES: Readonly<Record<Rehearsal['outcome'], string>> = {
  executes: 'execute it',
  nothing: 'do nothing',
  warns: 'record it with a warning',
  held: 'hold it',
  blocks: 'block',
  waits: 'keep it waiting',
  refused: 'refuse it',
};

function rowOf({ name, role, rehearsal, note }: RehearsedHere): readonly string[] {
  const who = role === 'author' ? `${name} (written here)` : name;
  if (rehearsal === null) return [who, '?', '?', '?', note ?? ''];
  const { outcome, rows, bytes } = rehearsal;
  return [
    who,
    OUTCOMES[outcome],
    rows === 0 ? '–' : rows.toLocaleString('en-US'),
    bytes === 0 ? '–' : sizeWords(bytes),
    whyOf(rehearsal),
  ];
}

function whyOf({ message, steps }: Rehearsal): string {
  if (message !== '') return message;
  return [...new Set(steps.map(({ reason }) => reason.replaceAll('`', '')))]
    .filter((reason) => reason !== '')
    .join(' ');
}

function detailText({ name, rehearsal }: RehearsedHere): string {
  if (rehearsal === null) return '';
  const lines = [
    ...rehearsal.held.map(
      ({ table, rows, reason }) => `${countWords(rows, 'change')} of ${table} would be held (${reason})`,
    ),
    ...rehearsal.findings.map(({ table, detail }) => `${table}: ${detail}`),
  ];
  return lines.length === 0 ? '' : [`${name}:`, ...lines.map((line) => `- ${line}`)].join('\n');
}

/** The shape is the same wherever it is executed; the author's is shown. */
function resultText(all: readonly RehearsedHere[]): string {
  const shown = all.find(({ rehearsal }) => rehearsal?.outcome === 'executes')?.rehearsal;
  if (shown === undefined || shown === null) return '';
  return shown.result
    .map(({ kind, name, ddl, isParked }) => {
      if (isParked) return `${kind} ${name} would be parked.`;
      return ddl === null ? `${kind} ${name} would be gone.` : `${ddl};`;
    })
    .join('\n\n');
}
