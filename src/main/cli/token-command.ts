import type { Command } from 'commander';

import { SiteId } from '#shared/model/ids.ts';
import { openConsoleRecords } from '../console/open-console-records.ts';
import { TokenRole, type Token, type Tokens } from '../console/tokens.ts';
import { makeDataFolder } from '../platform/data-folder.ts';
import { done, notUnderstood, refuse, type CommandResult } from './command-answer.ts';
import type { CommandContext } from './command-context.ts';
import { timeWords } from './count-words.ts';
import type { AddSubcommand, Run } from './subcommand.ts';
import { textTable } from './text-table.ts';

const DAY_MS = 86_400_000;

/** `concord token create|list|revoke`: who may reach this machine's host. */
export const addTokenCommand: AddSubcommand = (program, run) => {
  const token = program.command('token').description('make, list and withdraw the tokens of this host');
  addCreate(token, run);
  addList(token, run);
  addRevoke(token, run);
};

function addCreate(token: Command, run: Run): void {
  token
    .command('create')
    .argument('<name>', 'whom it is for')
    .description('make a token; its secret is shown this once')
    .requiredOption('--role <role>', 'sync, read or operate')
    .option('--site <id...>', 'sites that it may sync; all when left out')
    .option('--days <n>', 'days until it expires; never when left out')
    .option('--json', 'one JSON document')
    .action(async (name: string, options: CreateOptions) => {
      await run(options, async (context) => createToken(context, name, options));
    });
}

interface CreateOptions {
  readonly role: string;
  readonly site?: readonly string[];
  readonly days?: string;
  readonly json?: boolean;
}

async function createToken(
  context: CommandContext,
  name: string,
  options: CreateOptions,
): Promise<CommandResult> {
  const role = TokenRole.safeParse(options.role);
  if (!role.success) return notUnderstood(`"${options.role}" is no role: choose sync, read or operate.`);
  const sites = SiteId.array().safeParse(options.site ?? []);
  if (!sites.success) return notUnderstood('A site ID has 22 characters: `concord status REPLICA` shows it.');
  const days = options.days === undefined ? null : Number(options.days);
  if (days !== null && !(Number.isInteger(days) && days > 0)) {
    return notUnderstood(`"${options.days ?? ''}" is no number of days: write a whole number above 0.`);
  }
  return withTokens(context, (tokens) => {
    const expiresMs = days === null ? null : context.ports.clock.nowMs() + days * DAY_MS;
    const wish = { name, role: role.data, sites: options.site === undefined ? null : sites.data, expiresMs };
    const { token, secret } = tokens.create(wish);
    return done(
      { token, secret },
      `${secret}\n\nThis is the secret of "${name}". It is not shown again; whoever has it may ${MAY[token.role]}.`,
    );
  });
}

const MAY: Readonly<Record<TokenRole, string>> = {
  sync: 'sync with the replicas of this host',
  read: 'read everything on this host',
  operate: 'change everything on this host',
};

function addList(token: Command, run: Run): void {
  token
    .command('list')
    .description('list the tokens that are or were in force')
    .option('--json', 'one JSON document')
    .action(async (options: { readonly json?: boolean }) => {
      await run(options, async (context) =>
        withTokens(context, (tokens) => listTokens(context, tokens.list())),
      );
    });
}

function listTokens(context: CommandContext, tokens: readonly Token[]): CommandResult {
  if (tokens.length === 0)
    return done([], 'There are no tokens. `concord token create NAME --role sync` makes one.');
  const nowMs = context.ports.clock.nowMs();
  const columns = ['Token', 'Name', 'Role', 'Sites', 'Made', 'In force'].map((title) => ({ title }));
  const rows = tokens.map((token) => [
    token.id,
    token.name,
    token.role,
    token.sites === null ? 'all' : token.sites.join(', '),
    timeWords(token.createdMs, nowMs),
    forceWords(token, nowMs),
  ]);
  return done(tokens, textTable(columns, rows));
}

function forceWords(token: Token, nowMs: number): string {
  if (token.withdrawnMs !== null) return `withdrawn ${timeWords(token.withdrawnMs, nowMs)}`;
  if (token.expiresMs === null) return 'yes';
  return token.expiresMs <= nowMs ? 'expired' : `until ${timeWords(token.expiresMs, nowMs)}`;
}

function addRevoke(token: Command, run: Run): void {
  token
    .command('revoke')
    .argument('<token>', 'its ID, or its name where only one in force has it')
    .description('withdraw a token; what it opened ends within a second')
    .option('--json', 'one JSON document')
    .action(async (which: string, options: { readonly json?: boolean }) => {
      await run(options, async (context) =>
        withTokens(context, (tokens) =>
          tokens.withdraw(which)
            ? done({ withdrawn: which }, `Withdrew the token "${which}".`)
            : refuse('no-such-token', `No token in force is "${which}": \`concord token list\` shows them.`),
        ),
      );
    });
}

async function withTokens(
  context: CommandContext,
  work: (tokens: Tokens) => CommandResult,
): Promise<CommandResult> {
  makeDataFolder(context.dataDir);
  const { clock, random } = context.ports;
  const records = openConsoleRecords({ dataDir: context.dataDir, clock, random });
  try {
    return await Promise.resolve(work(records.tokens));
  } finally {
    records.close();
  }
}
