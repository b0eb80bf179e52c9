import { join } from 'node:path';

import type { Clock, Random } from '../engine/ports.ts';
import { openConsoleDatabase } from '../store/console-database.ts';
import { CONSOLE_MIGRATIONS } from './console-migrations.ts';
import { createEventRecords, type EventRecords } from './event-records.ts';
import { createFleetRecords, type FleetRecords } from './fleet-records.ts';
import { createLinkRecords, type LinkRecords } from './link-records.ts';
import { createSampleRecords, type SampleRecords } from './sample-records.ts';
import { createSettings, type Settings } from './settings.ts';
import { createTokens, type Tokens } from './tokens.ts';

/** All that the console remembers, besides secrets. */
export interface ConsoleRecords {
  readonly fleet: FleetRecords;
  readonly links: LinkRecords;
  readonly events: EventRecords;
  readonly samples: SampleRecords;
  readonly tokens: Tokens;
  readonly settings: Settings;
  readonly sqliteVersion: string;
  /** Whether the command line, or another host, has changed something since this was last asked. */
  readonly isChangedByOthers: () => boolean;
  readonly close: () => void;
}

/** Opens `console.db` in the data folder, which must be there. The command line may do so beside a running host. */
export function openConsoleRecords(deps: {
  readonly dataDir: string;
  readonly clock: Clock;
  readonly random: Random;
}): ConsoleRecords {
  const db = openConsoleDatabase(join(deps.dataDir, 'console.db'), CONSOLE_MIGRATIONS);
  const events = createEventRecords(db);
  return {
    fleet: createFleetRecords(db),
    links: createLinkRecords(db),
    events,
    samples: createSampleRecords(db),
    tokens: createTokens({ db, events, clock: deps.clock, random: deps.random }),
    settings: createSettings(db),
    sqliteVersion: String(db.all('select sqlite_version() as version')[0]?.['version'] ?? ''),
    isChangedByOthers: db.isChangedByOthers,
    close: db.close,
  };
}
