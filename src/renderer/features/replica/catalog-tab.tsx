import { useQuery } from '@tanstack/react-query';

import type { Fleet, FleetReplica } from '#shared/api/fleet-replica.ts';
import type { CatalogObject, CatalogView } from '#shared/model/views.ts';

import { useApi } from '../../api/api-context.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { DataGrid } from '../../ui/data-grid.tsx';
import type { Column } from '../../ui/data-grid.tsx';
import { DdlText } from '../../ui/ddl-text.tsx';
import { Moment } from '../../ui/moment.tsx';
import { EmptyNotice, FailedNotice, ReadingNotice } from '../../ui/notice.tsx';
import { Facts, Inspector, InspectorSection } from '../../ui/panel.tsx';
import { useNavigation } from '../../ui/router.tsx';
import { StateIcon } from '../../ui/state-pill.tsx';
import { counted, number } from '../../ui/words-model.ts';
import { hlcToMs } from '../../ui/hlc-model.ts';
import { catalogEntries, columnRules, objectKey, shownObject } from './catalog-model.ts';
import { peerName } from './peers-model.ts';
import { catalogQuery } from './replica-queries.ts';

interface CatalogTabProps {
  readonly replica: FleetReplica;
  readonly fleet: Fleet;
  /** Key of the object that the address names. */
  readonly selected: string | undefined;
}

/** The schema objects of a replica; one of them beside the list with its columns and canonical DDL. */
export function CatalogTab({ replica, fleet, selected }: CatalogTabProps) {
  const catalog = useQuery(catalogQuery(useApi().client, replica.ref));
  if (catalog.data !== undefined) {
    return <FilledCatalog catalog={catalog.data} replica={replica} fleet={fleet} selected={selected} />;
  }
  if (catalog.isError)
    return <FailedNotice what="The catalog" error={catalog.error} onRetry={() => void catalog.refetch()} />;
  return <ReadingNotice what="the catalog" rows={10} />;
}

function FilledCatalog({
  catalog,
  replica,
  fleet,
  selected,
}: CatalogTabProps & { readonly catalog: CatalogView }) {
  const { amend } = useNavigation();
  const blocked = new Set(replica.blocked.map((brief) => brief.object));
  const shown = shownObject(catalog.objects, { selected, blocked });
  if (shown === undefined)
    return <EmptyNotice>The catalog is empty: no table was created here, and none has arrived.</EmptyNotice>;
  return (
    <div className="work">
      <div className="work-column">
        <DataGrid
          label="Catalog"
          columns={columns(blocked)}
          entries={catalogEntries(catalog.objects)}
          rowKey={objectKey}
          rowLabel={({ kind, name }) => `${kind} ${name}`}
          selectedKey={objectKey(shown)}
          onSelect={(object) => {
            amend({ screen: 'replica', ref: replica.ref, tab: 'catalog', item: objectKey(object) });
          }}
        />
      </div>
      <ObjectInspector object={shown} fleet={fleet} />
    </div>
  );
}

function columns(blocked: ReadonlySet<string>): readonly Column<CatalogObject>[] {
  return [
    {
      key: 'name',
      head: 'Object',
      isRowHead: true,
      cell: ({ name, isParked }) => (
        <>
          <code className="strong">{name}</code>
          {isParked && <span className="catalog-parked">parked</span>}
          {blocked.has(name) && (
            <span className="catalog-blocked">
              <StateIcon state="blocked" size={12} /> blocked
            </span>
          )}
        </>
      ),
    },
    {
      key: 'columns',
      head: 'Columns',
      isNumber: true,
      cell: ({ columns: all }) => <span className="sec">{all.length === 0 ? '–' : all.length}</span>,
    },
    {
      key: 'rows',
      head: 'Rows',
      isNumber: true,
      cell: ({ rows }) => (rows === null ? <span className="dim">–</span> : number(rows)),
    },
    {
      key: 'sync',
      head: 'Rows sync',
      cell: (object) => <SyncCell object={object} />,
    },
  ];
}

function SyncCell({ object }: { readonly object: CatalogObject }) {
  if (object.kind !== 'table') return <span className="dim">–</span>;
  if (object.rowsSync) return <span className="sec">yes</span>;
  return <span className="hot st-held">no, it has no primary key</span>;
}

function ObjectInspector({ object, fleet }: { readonly object: CatalogObject; readonly fleet: Fleet }) {
  const { createdBy, createdHlc } = object;
  return (
    <Inspector label={object.name}>
      <InspectorSection>
        <h2>
          <code>{object.name}</code>
        </h2>
        <p className="dim small">
          {object.kind}
          {object.table !== object.name && ` of ${object.table}`}
          {object.rows !== null && `, ${counted(object.rows, 'row')}`}
        </p>
        {object.isParked && (
          <p className="small">
            It is not in the file at present, because something that it refers to is not there. It comes back
            by itself. The findings say what is missing.
          </p>
        )}
      </InspectorSection>
      {object.columns.length > 0 && (
        <InspectorSection title="Columns">
          <ColumnTable object={object} />
        </InspectorSection>
      )}
      <InspectorSection>
        <h3 className="section-title">
          Canonical DDL <CopyButton text={object.ddl} what="the DDL" />
        </h3>
        <DdlText ddl={object.ddl} />
      </InspectorSection>
      <InspectorSection title="Created">
        <Facts
          facts={[
            ['by', createdBy === null ? 'was there when it was attached' : peerName(createdBy, fleet)],
            ['when', createdHlc === null ? '?' : <Moment key="when" atMs={hlcToMs(createdHlc)} />],
            ...(createdHlc === null
              ? []
              : [
                  [
                    'HLC',
                    <span key="hlc" className="mono">
                      {createdHlc.slice(0, 15)}… <CopyButton text={createdHlc} what="the HLC" />
                    </span>,
                  ] as const,
                ]),
          ]}
        />
      </InspectorSection>
    </Inspector>
  );
}

function ColumnTable({ object }: { readonly object: CatalogObject }) {
  return (
    <table className="column-table">
      <caption className="unseen">Columns of {object.name}</caption>
      <tbody>
        {object.columns.map((column) => (
          <tr key={column.name}>
            <th scope="row">
              <code>{column.name}</code>
            </th>
            <td>
              <code>{column.type === '' ? 'no type' : column.type}</code>
            </td>
            <td className="dim">{columnRules(column)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
