import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { cruise, type ICruiseResult, type IConfiguration } from 'dependency-cruiser';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const config = createRequire(import.meta.url)(join(root, '.dependency-cruiser.cjs')) as IConfiguration;

interface Plant {
  readonly rule: string;
  readonly from: string;
  /** File to text. The file under `from` holds the violation, or starts the way to it. */
  readonly files: Readonly<Record<string, string>>;
}

const uses = (specifier: string): string => `import { x } from '${specifier}';\nexport const y = x;\n`;
const x = 'export const x = 1;\n';

const plants: readonly Plant[] = [
  {
    rule: 'no-cycles',
    from: 'src/main/services/one.ts',
    files: {
      'src/main/services/one.ts': `${uses('./two.ts')}${x}`,
      'src/main/services/two.ts': `${uses('./one.ts')}${x}`,
    },
  },
  {
    rule: 'shared-is-a-leaf',
    from: 'src/shared/reaches-up.ts',
    files: { 'src/shared/reaches-up.ts': uses('#main/engine/thing.ts'), 'src/main/engine/thing.ts': x },
  },
  {
    rule: 'engine-is-pure',
    from: 'src/main/engine/reads-disk.ts',
    files: { 'src/main/engine/reads-disk.ts': uses('node:fs') },
  },
  {
    rule: 'sql-is-pure',
    from: 'src/main/sql/asks-the-engine.ts',
    files: { 'src/main/sql/asks-the-engine.ts': uses('../engine/thing.ts') },
  },
  {
    rule: 'replica-is-a-shell',
    from: 'src/main/replica/calls-out.ts',
    files: { 'src/main/replica/calls-out.ts': uses('../peers/link.ts'), 'src/main/peers/link.ts': x },
  },
  {
    rule: 'store-looks-down',
    from: 'src/main/store/looks-up.ts',
    files: { 'src/main/store/looks-up.ts': uses('../replica/thing.ts'), 'src/main/replica/thing.ts': x },
  },
  {
    rule: 'rooms-look-down',
    from: 'src/main/services/serves-itself.ts',
    files: {
      'src/main/services/serves-itself.ts': uses('../rpc/serve-web-socket.ts'),
      'src/main/rpc/serve-web-socket.ts': x,
    },
  },
  {
    rule: 'entries-are-not-imported',
    from: 'src/main/services/starts-all-over.ts',
    files: { 'src/main/services/starts-all-over.ts': uses('../headless.ts'), 'src/main/headless.ts': x },
  },
  {
    rule: 'electron-has-three-doors',
    from: 'src/main/services/opens-a-window.ts',
    files: { 'src/main/services/opens-a-window.ts': uses('electron') },
  },
  {
    rule: 'headless-never-meets-electron',
    from: 'src/main/worker/wanders.ts',
    files: {
      'src/main/worker/wanders.ts': uses('./on-the-way.ts'),
      'src/main/worker/on-the-way.ts': `${uses('../open-window.ts')}${x}`,
      'src/main/open-window.ts': x,
    },
  },
  {
    rule: 'sqlite-stays-in-store',
    from: 'src/main/services/opens-a-database.ts',
    files: { 'src/main/services/opens-a-database.ts': uses('better-sqlite3') },
  },
  {
    rule: 'sockets-have-their-doors',
    from: 'src/main/services/opens-a-socket.ts',
    files: { 'src/main/services/opens-a-socket.ts': uses('ws') },
  },
  {
    rule: 'renderer-talks-through-the-contract',
    from: 'src/renderer/api/bypasses.ts',
    files: { 'src/renderer/api/bypasses.ts': uses('#main/engine/thing.ts') },
  },
  {
    rule: 'renderer-has-no-node',
    from: 'src/renderer/api/reads-disk.ts',
    files: { 'src/renderer/api/reads-disk.ts': uses('node:fs') },
  },
  {
    rule: 'host-never-imports-the-renderer',
    from: 'src/main/services/draws.ts',
    files: { 'src/main/services/draws.ts': uses('#renderer/ui/thing.ts'), 'src/renderer/ui/thing.ts': x },
  },
  {
    rule: 'preload-is-a-pipe',
    from: 'src/preload/knows-too-much.ts',
    files: { 'src/preload/knows-too-much.ts': uses('#shared/result.ts'), 'src/shared/result.ts': x },
  },
  {
    rule: 'features-do-not-know-each-other',
    from: 'src/renderer/features/fleet/peeks.ts',
    files: {
      'src/renderer/features/fleet/peeks.ts': uses('../blocked/thing.ts'),
      'src/renderer/features/blocked/thing.ts': x,
    },
  },
  {
    rule: 'renderer-rooms-look-down',
    from: 'src/renderer/features/fleet/looks-up.ts',
    files: {
      'src/renderer/features/fleet/looks-up.ts': uses('../../app/thing.ts'),
      'src/renderer/app/thing.ts': x,
    },
  },
  {
    rule: 'ui-knows-no-feature',
    from: 'src/renderer/ui/favours.ts',
    files: { 'src/renderer/ui/favours.ts': uses('../features/blocked/thing.ts') },
  },
  {
    rule: 'no-production-to-test',
    from: 'src/main/services/cheats.ts',
    files: {
      'src/main/services/cheats.ts': uses('../../../tests/support/thing.ts'),
      'tests/support/thing.ts': x,
    },
  },
  {
    rule: 'tests-share-through-support',
    from: 'tests/engine/borrows.test.ts',
    files: { 'tests/engine/borrows.test.ts': uses('./lends.test.ts'), 'tests/engine/lends.test.ts': x },
  },
  {
    rule: 'no-orphans',
    from: 'src/main/services/forgotten.ts',
    files: { 'src/main/services/forgotten.ts': x },
  },
  {
    rule: 'no-unresolved',
    from: 'src/main/services/dreams.ts',
    files: { 'src/main/services/dreams.ts': uses('./not-there.ts') },
  },
  {
    rule: 'no-dev-packages-in-the-host',
    from: 'src/main/services/borrows.ts',
    files: { 'src/main/services/borrows.ts': uses('fast-check') },
  },
];

/** What each rule is there to let pass. */
const welcome: Readonly<Record<string, string>> = {
  'src/main/headless.ts': `${uses('./worker/host.ts')}import { WebSocketServer } from 'ws';\nexport const s = WebSocketServer;\n`,
  'src/main/index.ts':
    "import { app } from 'electron';\nimport { x } from './worker/host.ts';\nexport const y = [app, x];\n",
  'src/main/worker/host.ts': `${uses('../replica/shell.ts')}${x}`,
  'src/main/replica/shell.ts': `${uses('../store/open.ts')}import { z } from '../engine/decide.ts';\nexport const w = z;\n${x}`,
  'src/main/store/open.ts':
    "import Database from 'better-sqlite3';\nimport { z } from '../engine/decide.ts';\nexport const x = [Database, z];\n",
  'src/main/engine/decide.ts': `${uses('../sql/read.ts')}import type { Later } from './later.ts';\nexport const z: Later = 1;\n`,
  'src/main/engine/later.ts':
    "import { z } from './decide.ts';\nexport type Later = number;\nexport const later = z;\n",
  'src/main/sql/read.ts': `${uses('#shared/words.ts')}${x}`,
  'src/shared/words.ts': "import { z } from 'zod';\nexport const x = z;\n",
  'src/preload/index.ts':
    "import { contextBridge } from 'electron';\nimport { x } from '#shared/api/channels.ts';\nexport const y = [contextBridge, x];\n",
  'src/shared/api/channels.ts': x,
  'src/renderer/main.tsx': uses('./app/app.tsx'),
  'src/renderer/app/app.tsx': `${uses('../features/fleet/view.tsx')}${x}`,
  'src/renderer/features/fleet/view.tsx': `${uses('./row.tsx')}import { b } from '../../ui/button.tsx';\nexport const c = b;\n${x}`,
  'src/renderer/features/fleet/row.tsx': `${uses('#shared/words.ts')}${x}`,
  'src/renderer/ui/button.tsx': "import { useState } from 'react';\nexport const b = useState;\n",
  'tests/engine/decide.test.ts':
    "import { z } from '#main/engine/decide.ts';\nimport fc from 'fast-check';\nexport const y = [z, fc];\n",
};

// Guards PORT-001, with the rules of lint on clock, chance and timers.
describe('dependency rules', () => {
  const folders: string[] = [];
  let violations: ICruiseResult['summary']['violations'] = [];

  beforeAll(async () => {
    violations = await findViolations(
      Object.fromEntries(plants.flatMap(({ files }) => Object.entries(files))),
    );
  });

  afterAll(() => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });

  test.for(plants)('$rule fires', ({ rule, from }) => {
    expect(violations.map((one) => `${one.rule.name}: ${one.from}`)).toContain(`${rule}: ${from}`);
  });

  test('every rule has its plant, and tells how to mend it', () => {
    const rules = config.forbidden ?? [];
    expect(rules.map(({ name }) => name)).toEqual(plants.map(({ rule }) => rule));
    expect(rules.filter(({ comment, severity }) => comment === undefined || severity !== 'error')).toEqual(
      [],
    );
  });

  test('no rule fires at what is allowed', async () => {
    expect(await findViolations(welcome)).toEqual([]);
  });

  async function findViolations(files: Readonly<Record<string, string>>): Promise<typeof violations> {
    const folder = mkdtempSync(join(tmpdir(), 'concord-rules-'));
    folders.push(folder);
    for (const name of ['package.json', 'tsconfig.base.json']) cpSync(join(root, name), join(folder, name));
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const options = { ...config.options, ruleSet: { forbidden: config.forbidden ?? [] }, validate: true };
    const { output } = await cruise(['src', 'tests'], {
      ...options,
      baseDir: folder,
      preserveSymlinks: true,
    });
    return (output as ICruiseResult).summary.violations;
  }
});
