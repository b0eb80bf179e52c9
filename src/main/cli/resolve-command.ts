import { ResolutionOption } from '#shared/model/vocabulary.ts';
import type { BlockedView, ResolutionPreview } from '#shared/model/views.ts';
import { done, notUnderstood, refuse, saysNo, type CommandResult } from './command-answer.ts';
import { countWords } from './count-words.ts';
import { withDesk } from './open-desk.ts';
import type { ReplicaDesk, ResolveOutcome } from './replica-desk.ts';
import type { AddSubcommand } from './subcommand.ts';
import { textTable } from './text-table.ts';

interface ResolveOptions {
  readonly with: string;
  readonly because?: string;
  readonly preview?: boolean;
  readonly json?: boolean;
}

/** Options that this command line offers; the engine knows more words. */
const OFFERED: readonly ResolutionOption[] = ['takeRemote', 'keepLocal', 'setAside', 'retry', 'newSite'];

/** `concord resolve REPLICA [OBJECT] --with OPTION --because "..."`: decides a blocked batch, without an object one that is about none. */
export const addResolveCommand: AddSubcommand = (program, run) => {
  program
    .command('resolve')
    .argument('<replica>', 'path, name of the fleet, or beginning of a site ID')
    .argument(
      '[object]',
      'the blocked table, index, view or trigger; left out where a whole line is blocked',
      '',
    )
    .description('decide what blocks an object, or see beforehand what a decision would change')
    .requiredOption('--with <option>', OFFERED.join(', '))
    .option('--because <reason>', 'why; it goes into the decision journal')
    .option('--preview', 'change nothing; say what would change, with counts')
    .option('--json', 'one JSON document')
    .action(async (replica: string, object: string, options: ResolveOptions) => {
      await run(options, async (context) => {
        const option = OFFERED.find((candidate) => candidate === options.with);
        if (option === undefined) return notUnderstood(unknownOption(options.with));
        const because = options.because?.trim() ?? '';
        const isPreview = options.preview === true;
        if (!isPreview && because === '')
          return notUnderstood('Say why with --because "...": it goes into the decision journal.');
        return withDesk(context, { replica, as: 'acts' }, async ({ desk, name }) => {
          const batch = await findBatch(desk, { name, object });
          if (!batch.ok) return batch;
          return isPreview
            ? preview(desk, { name, batch: batch.value, option })
            : decide(desk, { name, batch: batch.value, option, because });
        });
      });
    });
};

function unknownOption(said: string): string {
  const isKnown = ResolutionOption.options.some((option) => option === said);
  return isKnown
    ? `"${said}" is not supported yet: choose ${OFFERED.join(', ')}.`
    : `"${said}" is no way to decide: choose ${OFFERED.join(', ')}.`;
}

async function findBatch(desk: ReplicaDesk, wish: { readonly name: string; readonly object: string }) {
  const blocked = await desk.blocked();
  if (!blocked.ok) return blocked;
  const batch = blocked.value.find(({ object }) => object.toLowerCase() === wish.object.toLowerCase());
  if (batch !== undefined) return { ok: true, value: batch } as const;
  const others = [...new Set(blocked.value.map(({ object }) => object))];
  return refuse(
    'no-such-conflict',
    others.length === 0
      ? `Nothing is blocked on ${wish.name}: there is nothing to decide.`
      : `${wish.object} is not blocked on ${wish.name}; what is: ${others.join(', ')}.`,
  );
}

interface Decision {
  readonly name: string;
  readonly batch: BlockedView;
  readonly option: ResolutionOption;
}

async function preview(desk: ReplicaDesk, { name, batch, option }: Decision): Promise<CommandResult> {
  const shown = await desk.preview(batch.conflictId, option);
  return shown.ok ? done(shown.value, previewText(name, shown.value)) : shown;
}

function previewText(name: string, shown: ResolutionPreview): string {
  const lines = [
    `With ${shown.option}, ${whoChanges(name, shown)}. Nothing was changed.`,
    ...(shown.resultDdl === '' ? [] : [shown.resultDdl.replaceAll(/^/gm, '  ')]),
    [
      `${countWords(shown.rows, 'row')} of ${shown.object} here, ${shown.rowsConverted === 0 ? 'none' : shown.rowsConverted.toLocaleString('en-US')} of them converted`,
      castWords(shown),
      ...shown.cellsHeld.map(
        ({ column, cells }) => `${countWords(cells, 'cell')} of ${column} would be held`,
      ),
      ...(shown.rowsHeld === 0
        ? []
        : [`${countWords(shown.rowsHeld, 'row')} would be held for want of a value`]),
      `then ${countWords(shown.unitFacts, 'fact')} of the blocked batch and ${countWords(shown.behindChanges, 'change')} behind it flow`,
    ]
      .map((line) => `- ${line}`)
      .join('\n'),
    ...(shown.lossyExamples.length === 0 ? [] : [lossyTable(shown)]),
  ];
  return lines.join('\n\n');
}

function whoChanges(name: string, shown: ResolutionPreview): string {
  if (shown.changesLocalShape) return `${name} changes the shape of ${shown.object}`;
  return shown.changesRemoteShape
    ? `the others change to the shape that ${shown.object} has on ${name}`
    : `no shape of ${shown.object} changes`;
}

function castWords(shown: ResolutionPreview): string {
  return shown.lossyCasts === 0
    ? 'no cast loses anything'
    : `${countWords(shown.lossyCasts, 'cast loses', 'casts lose')} something`;
}

function lossyTable({ lossyExamples }: ResolutionPreview): string {
  const columns = ['Key', 'Column', 'Now', 'Would be'].map((title) => ({ title }));
  return textTable(
    columns,
    lossyExamples.map(({ key, column, from, to }) => [
      key.map((part) => JSON.stringify(part)).join(', '),
      column,
      JSON.stringify(from),
      JSON.stringify(to),
    ]),
  );
}

async function decide(
  desk: ReplicaDesk,
  decision: Decision & { readonly because: string },
): Promise<CommandResult> {
  const { name, batch, option, because } = decision;
  const outcome = await desk.resolve({ conflictId: batch.conflictId, option, because });
  if (!outcome.ok) return outcome;
  const after = await desk.blocked();
  const isStuck = after.ok && after.value.some(({ conflictId }) => conflictId === batch.conflictId);
  const document = { ...outcome.value, stillBlocked: isStuck };
  const object = batch.object === '' ? 'The line' : batch.object;
  const text = outcomeText({ name, object, isStuck }, outcome.value);
  return isStuck ? saysNo(document, text) : done(document, text);
}

function outcomeText(
  { name, object, isStuck }: { readonly name: string; readonly object: string; readonly isStuck: boolean },
  outcome: ResolveOutcome,
): string {
  const { admitted, option, replicas } = outcome;
  if (isStuck) return `${object} is still blocked on ${name} after ${option}.`;
  const lines = [
    `${object} is decided on ${name} with ${option}: ${countWords(admitted.factsApplied, 'fact')} went in, ` +
      `${countWords(admitted.factsHeld, 'fact')} ${admitted.factsHeld === 1 ? 'is' : 'are'} held. ` +
      `Others that are stuck on it come free at their next sync.`,
    ...replicas.map((replica) => `${replica.name}: ${replica.state}`),
  ];
  return lines.join('\n');
}
