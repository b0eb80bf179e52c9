import type { CatalogDiff, ObjectDiff } from '#shared/model/catalog-diff.ts';
import { err } from '#shared/result.ts';
import { diffCatalogs } from '../replica/diff-catalogs.ts';
import { done, saysNo, type CommandFailure, type CommandResult } from './command-answer.ts';
import type { CommandContext } from './command-context.ts';
import { countWords } from './count-words.ts';
import { readDefinitionsOf } from './read-definitions-of.ts';
import type { AddSubcommand } from './subcommand.ts';
import { textTable } from './text-table.ts';

interface DiffOptions {
  readonly explain?: boolean;
  readonly json?: boolean;
}

/** `concord diff A B`: two catalogs side by side. Exit status as `diff` has it: 0 equal, 1 different, 2 trouble. */
export const addDiffCommand: AddSubcommand = (program, run) => {
  program
    .command('diff')
    .argument('<a>', 'a replica, or any SQLite file')
    .argument('<b>', 'what it is compared with')
    .description('compare two catalogs; exit status 0 equal (drift is), 1 different, 2 trouble')
    .option('--explain', 'with the normalised texts, and the rules that made them equal or not')
    .option('--json', 'one JSON document')
    .action(async (left: string, right: string, options: DiffOptions) => {
      await run(options, async (context) => Promise.resolve(diff(context, { left, right }, options)));
    });
};

function diff(
  context: CommandContext,
  sides: { readonly left: string; readonly right: string },
  options: DiffOptions,
): CommandResult {
  const left = readDefinitionsOf(context, sides.left);
  if (!left.ok) return trouble(left.error);
  const right = readDefinitionsOf(context, sides.right);
  if (!right.ok) return trouble(right.error);
  const explain = options.explain === true;
  const found = diffCatalogs({
    left: left.value.definitions,
    right: right.value.definitions,
    explain,
  });
  const names = { left: left.value.name, right: right.value.name };
  const text = diffText(found, names, explain);
  const document = { ...names, ...found };
  return isDifferent(found) ? saysNo(document, text) : done(document, text);
}

const trouble = (failure: CommandFailure): CommandResult => err({ ...failure, status: 2 });

const isDifferent = ({ counts }: CatalogDiff): boolean =>
  counts.different + counts.onlyLeft + counts.onlyRight > 0;

interface SideNames {
  readonly left: string;
  readonly right: string;
}

function diffText(found: CatalogDiff, names: SideNames, explain: boolean): string {
  const isBrief = (item: ObjectDiff): boolean => !explain && isOnlyParked(item);
  return [
    verdictText(found, names),
    ...found.items.filter((item) => !isBrief(item)).map((item) => itemText(item, names, explain)),
    ...parkedTexts(found.items.filter(isBrief), names),
  ].join('\n\n');
}

/** Of one text on both sides, which one of the files does not have for now. */
const isOnlyParked = ({ left, right, differences }: ObjectDiff): boolean =>
  left !== null && left === right && differences.every(({ kind }) => kind === 'parked');

/** Parked objects are named by the side where they are: their texts are equal, and often they are many. */
function parkedTexts(items: readonly ObjectDiff[], names: SideNames): readonly string[] {
  const sides = [
    [names.left, names.right, items.filter(({ differences }) => differences[0]?.left === 'parked')],
    [names.right, names.left, items.filter(({ differences }) => differences[0]?.right === 'parked')],
  ] as const;
  return sides
    .filter(([, , parked]) => parked.length > 0)
    .map(([here, there, parked]) =>
      [
        `Parked in ${here} until what they name is there, at work in ${there}:`,
        ...parked.map(({ kind, name }) => `  ${kind} ${name}`),
      ].join('\n'),
    );
}

function verdictText(found: CatalogDiff, names: SideNames): string {
  const { equal, drift, different, onlyLeft, onlyRight } = found.counts;
  const all = equal + drift + different + onlyLeft + onlyRight;
  if (all === 0) return `${names.left} and ${names.right} have no schema objects.`;
  if (!isDifferent(found)) {
    const tail =
      drift === 0
        ? ''
        : ` ${countWords(drift, 'has drift', 'have drift')}, which is harmless and needs nothing.`;
    return `${names.left} and ${names.right} have equal catalogs of ${countWords(all, 'object')}.${tail}`;
  }
  const parts = [
    [equal, countWords(equal, 'object is equal', 'objects are equal')],
    [drift, countWords(drift, 'has drift', 'have drift')],
    [different, countWords(different, 'is different', 'are different')],
    [onlyLeft, `${countWords(onlyLeft, 'is', 'are')} only in ${names.left}`],
    [onlyRight, `${countWords(onlyRight, 'is', 'are')} only in ${names.right}`],
  ] as const;
  const said = parts.filter(([count]) => count > 0).map(([, words]) => words);
  return `${names.left} and ${names.right} differ: ${said.join(', ')}.`;
}

function itemText(item: ObjectDiff, names: SideNames, explain: boolean): string {
  const title = `${item.kind} ${item.name}: ${stateWords(item, names)}`;
  const showsTexts = explain || item.state === 'different' || item.left === null || item.right === null;
  const lines = [
    title,
    ...(item.differences.length === 0 ? [] : [detailTable(item, names)]),
    ...(showsTexts ? textsOf(item, names) : []),
    ...(item.rules.length === 0
      ? []
      : [['  written differently, which does not count', ...ruleLines(item)].join('\n')]),
  ];
  return lines.join('\n');
}

function stateWords({ state }: ObjectDiff, names: SideNames): string {
  switch (state) {
    case 'equal':
      return 'equal';
    case 'drift':
      return 'drift, harmless';
    case 'different':
      return 'different';
    case 'onlyLeft':
      return `only in ${names.left}`;
    case 'onlyRight':
      return `only in ${names.right}`;
  }
}

function detailTable({ differences }: ObjectDiff, names: SideNames): string {
  const columns = ['What', 'Kind', names.left, names.right, ''].map((title) => ({ title }));
  const table = textTable(
    columns,
    differences.map(({ subject, kind, left, right, isDrift }) => [
      subject === '' ? 'the whole' : subject,
      kind,
      left ?? '–',
      right ?? '–',
      isDrift ? 'drift' : '',
    ]),
  );
  return indented(table);
}

function textsOf(item: ObjectDiff, names: SideNames): readonly string[] {
  if (item.left !== null && item.left === item.right) return [`  both`, indented(item.left, 4)];
  return [
    ...(item.left === null ? [] : [`  ${names.left}`, indented(item.left, 4)]),
    ...(item.right === null ? [] : [`  ${names.right}`, indented(item.right, 4)]),
  ];
}

const ruleLines = ({ rules }: ObjectDiff): readonly string[] =>
  rules.map(({ rule, subject, words }) => `  - ${subject === '' ? '' : `${subject}: `}${words} (${rule})`);

const indented = (text: string, by = 2): string => text.replaceAll(/^/gm, ' '.repeat(by));
