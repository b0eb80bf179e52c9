import type { BlockedView } from '#shared/model/views.ts';
import { done, saysNo, type CommandResult } from './command-answer.ts';
import { countWords, timeWords } from './count-words.ts';
import { readFleet } from './find-replica.ts';
import { withDesk } from './open-desk.ts';
import type { AddSubcommand } from './subcommand.ts';
import { textTable } from './text-table.ts';

/** `concord blocked REPLICA`: what waits for a decision, with both definitions. */
export const addBlockedCommand: AddSubcommand = (program, run) => {
  program
    .command('blocked')
    .argument('<replica>', 'path, name of the fleet, or beginning of a site ID')
    .description('show what is blocked and what can be done about it; exit status 1 when something is')
    .option('--json', 'one JSON document')
    .action(async (replica: string, options: { readonly json?: boolean }) => {
      await run(options, async (context) =>
        withDesk(context, { replica, as: 'reads' }, async ({ desk, name }) => {
          const blocked = await desk.blocked();
          if (!blocked.ok) return blocked;
          const nameBySite = new Map(readFleet(context).map((member) => [member.site, member.name]));
          return answerOf(blocked.value, { name, replica, nameBySite, nowMs: context.ports.clock.nowMs() });
        }),
      );
    });
};

interface Told {
  readonly name: string;
  /** As the user wrote it, for the next command. */
  readonly replica: string;
  readonly nameBySite: ReadonlyMap<string | null, string>;
  readonly nowMs: number;
}

function answerOf(blocked: readonly BlockedView[], told: Told): CommandResult {
  if (blocked.length === 0) return done(blocked, `Nothing is blocked on ${told.name}.`);
  const conflicts = [...new Set(blocked.map(({ conflictId }) => conflictId))];
  const texts = conflicts.map((id) =>
    conflictText(
      blocked.filter(({ conflictId }) => conflictId === id),
      told,
    ),
  );
  return saysNo(blocked, texts.join('\n\n'));
}

/** One conflict, which may stop the lines of several peers. */
function conflictText(batches: readonly BlockedView[], told: Told): string {
  const [first] = batches;
  if (first === undefined) return '';
  const parts = [
    sentence(first, told),
    ...batches.map((batch) => lineText(batch, told)),
    ...definitions(first),
    ...differences(first),
    nextStep(first, told),
  ];
  return parts.join('\n\n');
}

function sentence(batch: BlockedView, { name }: Told): string {
  return batch.cause === 'divergentDefinition'
    ? `${name} is blocked on ${batch.object}: it was created here and elsewhere with different definitions. Choose one.`
    : batch.message;
}

function lineText(batch: BlockedView, { nameBySite, nowMs }: Told): string {
  const peer = nameBySite.get(batch.from) ?? batch.from;
  const tried = `tried ${countWords(batch.attempts, 'time')}, next ${batch.nextTryMs <= nowMs ? 'at the next sync' : timeWords(batch.nextTryMs, nowMs)}`;
  const waiting = `${countWords(batch.behindChanges, 'change')} ${batch.behindChanges === 1 ? 'waits' : 'wait'} behind it`;
  return `The line of ${peer}: since ${timeWords(batch.sinceMs, nowMs)}, ${tried}; ${waiting}.`;
}

function definitions({ localDdl, remoteDdl }: BlockedView): readonly string[] {
  if (localDdl === '' && remoteDdl === '') return [];
  return [`Here:\n${indent(localDdl)}`, `Coming in:\n${indent(remoteDdl)}`];
}

function differences(batch: BlockedView): readonly string[] {
  if (batch.differences.length === 0) return [];
  const columns = ['What differs', 'Kind', 'Here', 'Coming in'].map((title) => ({ title }));
  const rows = batch.differences.map(({ kind, subject, local, remote }) => [
    subject,
    kind,
    local ?? '–',
    remote ?? '–',
  ]);
  return [textTable(columns, rows)];
}

function nextStep(batch: BlockedView, { replica }: Told): string {
  if (batch.options.includes('newSite'))
    return 'Make the restored or copied file a site of its own, then the line goes on by itself at the next sync:\n  concord new-site FILE --because "..."';
  const [first = 'retry', ...others] = batch.options;
  const object = batch.object === '' ? '' : ` ${batch.object}`;
  const command = `concord resolve ${replica}${object} --with ${first}`;
  return `See beforehand what a decision changes, then make it (${[first, ...others].join(', ')}):\n  ${command} --preview\n  ${command} --because "..."`;
}

const indent = (text: string): string => text.replaceAll(/^/gm, '  ');
