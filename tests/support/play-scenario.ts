import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { sha256 } from '#main/platform/sha256.ts';
import { parseScenario } from '#main/scenario/parse-scenario.ts';
import { runScenario, type ScenarioResult } from '#main/scenario/run-scenario.ts';
import type { LinkKind } from '#main/scenario/scenario-world.ts';
import type { Scenario } from '#main/scenario/scenario.ts';
import { hostStarter } from '#main/scenario/start-hosts.ts';

/** Reads a scenario; a mistake in it is the test's failure. */
export function readScenario(source: string): Scenario {
  const parsed = parseScenario(source);
  if (!parsed.ok) throw new Error(`line ${parsed.error.line}: ${parsed.error.message}`);
  return parsed.value;
}

/** Plays a scenario file in a folder of its own, which is gone afterwards. */
export async function playFile(path: string, link: LinkKind): Promise<ScenarioResult> {
  return playSource(readFileSync(path, 'utf8'), { link, besides: dirname(path) });
}

/** Plays a scenario text. */
export async function playSource(
  source: string,
  how: { readonly link?: LinkKind; readonly besides?: string } = {},
): Promise<ScenarioResult> {
  const scratch = mkdtempSync(join(tmpdir(), 'concord-scenario-test-'));
  try {
    mkdirSync(join(scratch, 'own'));
    return await runScenario({
      scenario: readScenario(source),
      besides: how.besides ?? scratch,
      folder: join(scratch, 'replicas'),
      scratch: join(scratch, 'own'),
      link: how.link ?? 'inProcess',
      starter: hostStarter,
      hash: sha256,
    });
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
