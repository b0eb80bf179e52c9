import { Columns2, Split } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';

import { useNowMs } from '../../ui/clock.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { DiffView } from '../../ui/diff-view.tsx';
import { IconButton } from '../../ui/button.tsx';
import { useShortcuts } from '../../ui/use-shortcuts.ts';
import type { BatchProps } from './blocked-batch-view.tsx';
import { definitionHeads, differenceRows } from './definitions-model.ts';
import type { DefinitionHead } from './definitions-model.ts';

/** Both definitions beside each other, and under them what differs by meaning. */
export function Definitions({ here, detail }: BatchProps) {
  const [isSideBySide, setSideBySide] = useState(true);
  const [nextDifference, setNextDifference] = useState(0);
  const heads = definitionHeads(detail, { name: here.name, nowMs: useNowMs() });
  const toggle = (): void => {
    setSideBySide(!isSideBySide);
  };
  useShortcuts({
    n: () => {
      setNextDifference(nextDifference + 1);
    },
    d: toggle,
  });
  if (detail.localDdl === '' && detail.remoteDdl === '') return null;
  return (
    <section className="panel definitions" aria-label="Both definitions">
      <div className="definition-heads">
        <Head head={heads.local} ddl={detail.localDdl} isHere />
        <Head head={heads.remote} ddl={detail.remoteDdl} isHere={false}>
          <IconButton
            icon={Columns2}
            label={isSideBySide ? 'Show in one column' : 'Show side by side'}
            onClick={toggle}
          />
        </Head>
      </div>
      <DiffView
        original={detail.localDdl}
        modified={detail.remoteDdl}
        originalLabel={`Definition of ${detail.object} here, on ${here.name}`}
        modifiedLabel={`Definition of ${detail.object} coming in from ${detail.fromName}`}
        isSideBySide={isSideBySide}
        nextDifference={nextDifference}
      />
      <DifferenceTable detail={detail} />
    </section>
  );
}

interface HeadProps {
  readonly head: DefinitionHead;
  readonly ddl: string;
  readonly isHere: boolean;
  readonly children?: ReactNode;
}

function Head({ head, ddl, isHere, children }: HeadProps) {
  return (
    <div className="definition-head">
      {isHere && <Split className="icon in-state st-diverged" size={14} aria-hidden />}
      <h2>{head.title}</h2>
      <span className="dim" title={head.exact ?? undefined}>
        {head.note}
      </span>
      <CopyButton text={ddl} what={isHere ? 'the definition here' : 'the definition coming in'} />
      {children}
    </div>
  );
}

function DifferenceTable({ detail }: { readonly detail: BatchProps['detail'] }) {
  const rows = differenceRows(detail.differences, detail.object);
  if (rows.length === 0) return null;
  return (
    <table className="difference-table">
      <caption className="unseen">What differs between both definitions</caption>
      <thead>
        <tr>
          <th scope="col">What differs</th>
          <th scope="col">Kind</th>
          <th scope="col">Here</th>
          <th scope="col">Coming in</th>
          <th scope="col">What it means for the rows</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={`${row.kind} ${row.subject}`}>
            <th scope="row" className="mono">
              {row.subject}
            </th>
            <td className="sec">{row.kind}</td>
            <td className={row.isText ? 'mono' : 'sec'}>{row.here}</td>
            <td className={row.isText ? 'mono' : 'sec'}>{row.comingIn}</td>
            <td className="sec">{row.means}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
