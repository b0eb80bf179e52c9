import type { Fleet } from '#shared/api/fleet-replica.ts';
import type { MigrationView } from '#shared/model/views.ts';

import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { DdlText } from '../../ui/ddl-text.tsx';
import { hlcToMs } from '../../ui/hlc-model.ts';
import { Moment } from '../../ui/moment.tsx';
import { Facts, Inspector, InspectorSection } from '../../ui/panel.tsx';
import { textToSentence } from '../../ui/sentence-model.ts';
import { SentenceText } from '../../ui/sentence.tsx';
import { StateIcon } from '../../ui/state-pill.tsx';
import { VERDICT_LOOK } from '../../ui/verdict-look.ts';
import { CopyableId } from './copyable-id.tsx';
import { migrationTitle } from './migration-model.ts';
import { peerName } from './peers-model.ts';

interface MigrationInspectorProps {
  readonly migration: MigrationView;
  readonly fleet: Fleet;
  readonly onObject: (object: string) => void;
  readonly onMigration: (migration: Pick<MigrationView, 'id' | 'object'>) => void;
}

/** One migration: what was decided and why, its DDL, when it was made and by whom it came. */
export function MigrationInspector(props: MigrationInspectorProps) {
  const { migration, fleet, onObject } = props;
  const { state, word } = VERDICT_LOOK[migration.verdict];
  return (
    <Inspector label={migrationTitle(migration)}>
      <InspectorSection>
        <h2>
          <code>{migrationTitle(migration)}</code>
        </h2>
        <p className="small">
          <StateIcon state={state} /> <b>{word}</b>
          {!migration.inForce && <span className="dim">, overtaken</span>}
        </p>
        <p className="sec small">
          <SentenceText sentence={textToSentence(migration.reason)} />
        </p>
        <Decider {...props} />
      </InspectorSection>
      <InspectorSection>
        <h3 className="section-title">
          DDL <CopyButton text={migration.ddl} what="the DDL" />
        </h3>
        <DdlText ddl={migration.ddl} />
      </InspectorSection>
      <InspectorSection title="When and whence">
        <Facts
          facts={[
            ['made', <Moment key="made" atMs={hlcToMs(migration.hlc)} />],
            ['origin', peerName(migration.origin, fleet)],
            ['came from', migration.from === null ? 'made here' : peerName(migration.from, fleet)],
            ['in force', migration.inForce ? 'yes, new peers get it' : 'no, it is overtaken'],
            ['HLC', <CopyableId key="hlc" id={migration.hlc} what="the HLC" />],
            ['ID', <CopyableId key="id" id={migration.id} what="the migration ID" />],
          ]}
        />
      </InspectorSection>
      <InspectorSection>
        <Button
          onClick={() => {
            onObject(migration.object);
          }}
        >
          All of {migration.object}
        </Button>
      </InspectorSection>
    </Inspector>
  );
}

/** The migration that decided about this one, with its author and a way to it. */
function Decider({ migration, fleet, onMigration }: MigrationInspectorProps) {
  const { by } = migration;
  if (by === null) return null;
  return (
    <p className="sec small">
      <button
        type="button"
        className="link"
        onClick={() => {
          onMigration(by);
        }}
      >
        <code>{migrationTitle(by)}</code>
      </button>{' '}
      was made by {peerName(by.origin, fleet)}, <Moment atMs={hlcToMs(by.hlc)} />.
    </p>
  );
}
