import type { Command } from 'commander';

import type { HeldAction, HeldOutcome } from '#shared/model/held-decision.ts';
import { HeldReason } from '#shared/model/vocabulary.ts';
import { done, notUnderstood, saysNo, type CommandResult } from './command-answer.ts';
import { countWords } from './count-words.ts';
import { isSelective, readSelection, type SelectionOptions } from './held-selection-options.ts';
import { withDesk } from './open-desk.ts';
import type { Run } from './subcommand.ts';

interface ActionOptions extends SelectionOptions {
  readonly because?: string;
  readonly all?: boolean;
  readonly json?: boolean;
}

const DESCRIPTIONS: Readonly<Record<HeldAction, string>> = {
  drain:
    'try held changes now; with --table, what belongs to a dropped table goes into the one that has its name now',
  quarantine: 'take held changes out: they stay held and go in by themselves no more',
  release: 'take quarantined changes back: they go in when they fit',
  delete: 'delete held changes for good; the journal keeps who, when, why and what',
};

const ACTIONS: readonly HeldAction[] = ['drain', 'quarantine', 'release', 'delete'];

/** `concord held drain|quarantine|release|delete REPLICA`. */
export function addHeldActions(held: Command, run: Run): void {
  for (const action of ACTIONS) {
    held
      .command(action)
      .argument('<replica>', 'path, name of the fleet, or beginning of a site ID')
      .description(DESCRIPTIONS[action])
      .option('--table <name>', 'only those for this table')
      .option('--reason <reason>', HeldReason.options.join(', '))
      .option('--id <id...>', 'only these; `concord held REPLICA` shows their numbers')
      .option('--all', 'all that are held')
      .option('--because <reason>', 'why; it goes into the decision journal')
      .option('--json', 'one JSON document')
      .action(async (replica: string, options: ActionOptions) => {
        await run(options, async (context) => {
          const selection = readSelection(options);
          if (!selection.ok) return selection;
          const because = options.because?.trim() ?? '';
          if (action === 'delete' && because === '')
            return notUnderstood('Say why with --because "...": it goes into the decision journal.');
          if (action !== 'drain' && options.all !== true && !isSelective(selection.value))
            return notUnderstood(`Say which to ${action}: --table, --reason or --id; or --all.`);
          return withDesk(context, { replica, as: 'acts' }, async ({ desk, name }) => {
            const decided = await desk.decideHeld({ action, selection: selection.value, because });
            return decided.ok ? answerOf(decided.value, name) : decided;
          });
        });
      });
  }
}

/** What stays held though it was to go in is no success. */
function answerOf(outcome: HeldOutcome, name: string): CommandResult {
  const left = outcome.left.map(
    ({ table, reason, changes, why }) => `- ${countWords(changes, 'change')} of ${table} (${reason}): ${why}`,
  );
  const text = [sentenceOf(outcome, name), ...left].join('\n');
  return outcome.action === 'drain' && outcome.left.length > 0 ? saysNo(outcome, text) : done(outcome, text);
}

function sentenceOf({ action, changes, drained, detail }: HeldOutcome, name: string): string {
  if (changes === 0) return `Nothing is held on ${name} that could be drained.`;
  switch (action) {
    case 'quarantine':
      return `Quarantined on ${name}: ${detail}. They stay held until they are released.`;
    case 'release':
      return `Released on ${name}: ${detail}. ${countWords(drained, 'change')} went in.`;
    case 'drain':
      return `Of ${countWords(changes, 'held change')} on ${name} ${drained.toLocaleString('en-US')} went in.`;
    case 'delete':
      return `Deleted on ${name}: ${detail}. The journal has it.`;
  }
}
