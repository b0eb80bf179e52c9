import { resolve } from 'node:path';

import { attachReplica, type AttachedReplica } from '../replica/attach-replica.ts';
import { done, refuse, type CommandResult } from './command-answer.ts';
import { countWords } from './count-words.ts';
import { findingLines } from './finding-lines.ts';
import { commandHost } from './open-replica-file.ts';
import type { AddSubcommand } from './subcommand.ts';

interface AttachOptions {
  readonly keepJournalMode?: boolean;
  readonly json?: boolean;
}

/** `concord attach FILE`: makes an existing database a replica. */
export const addAttachCommand: AddSubcommand = (program, run) => {
  program
    .command('attach')
    .argument('<file>', 'an SQLite database of any application')
    .description('make an existing database a replica; its rows stay as they are')
    .option('--keep-journal-mode', 'do not turn WAL on')
    .option('--json', 'one JSON document')
    .action(async (file: string, options: AttachOptions) => {
      await run(options, async (context) => {
        const path = resolve(context.cwd, file);
        const attached = attachReplica({
          path,
          ports: context.ports,
          host: commandHost(context),
          keepJournalMode: options.keepJournalMode === true,
        });
        if (!attached.ok) return refuse(attached.error.code, attached.error.message);
        const answer = answerOf(file, attached.value);
        attached.value.replica.close();
        return Promise.resolve(answer);
      });
    });
};

function answerOf(file: string, attached: AttachedReplica): CommandResult {
  const { replica, tables, journalModeBefore, journalModeChanged } = attached;
  const { site } = replica.identity();
  const { path, journalMode } = replica.status();
  const findings = replica.findings();
  const text = [
    `Attached ${file} with ${countWords(tables, 'table')}. Its site ID is ${site}.`,
    ...(journalModeChanged
      ? [`Its journal mode was ${journalModeBefore} and is WAL now; \`concord detach\` puts it back.`]
      : []),
    'Other programs go on as before, but for DROP COLUMN: SQLite refuses it beside the triggers of Concord. `concord exec` drops columns.',
    ...findingLines(findings),
  ].join('\n');
  return done({ path, site, tables, journalMode, journalModeBefore, journalModeChanged, findings }, text);
}
