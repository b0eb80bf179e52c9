import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Database, PlugZap, Store } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

import type { Fleet } from '#shared/api/fleet-replica.ts';

import { useApi } from '../../api/api-context.tsx';
import { valueOf } from '../../api/client.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { failureWords } from '../../ui/failure-words.ts';
import { useNotify } from '../../ui/notifications.tsx';
import { TopLine } from '../../ui/verdict-line.tsx';
import { counted } from '../../ui/words-model.ts';
import './first-start.css';

/** The fleet is empty: three ways to begin. */
export function FirstStartView({ fleet }: { readonly fleet: Fleet }) {
  return (
    <>
      <TopLine icon={Database} className="st-plain">
        <h1>This fleet has no replica yet.</h1>
        <p>
          A replica is one SQLite database file under sync. Begin with one of yours, with a host that has
          some, or with the example.
        </p>
      </TopLine>
      <div className="work-only work-pad">
        <ul className="offers" aria-label="Ways to begin">
          <Offer
            icon={Database}
            title="Open a database"
            text="Takes a SQLite file under sync. Its rows stay as they are, and any program can go on writing to it."
          >
            <ButtonLink to={{ screen: 'fleet', dialog: 'open-database' }}>Open a database</ButtonLink>
          </Offer>
          <Offer
            icon={PlugZap}
            title="Connect to a host"
            text="Shows the replicas of another machine on which “concord serve” runs. You need its address and a token."
          >
            <ButtonLink to={{ screen: 'fleet', dialog: 'connect-host' }}>Connect to a host</ButtonLink>
          </Offer>
          <ExampleOffer exists={fleet.exampleExists} />
        </ul>
      </div>
    </>
  );
}

function Offer(props: {
  readonly icon: LucideIcon;
  readonly title: string;
  readonly text: string;
  readonly children: ReactNode;
}) {
  const { icon: Icon, title, text, children } = props;
  return (
    <li className="panel offer">
      <h2>
        <Icon className="icon" size={16} aria-hidden /> {title}
      </h2>
      <p>{text}</p>
      {children}
    </li>
  );
}

function ExampleOffer({ exists }: { readonly exists: boolean }) {
  const { client } = useApi();
  const queryClient = useQueryClient();
  const notify = useNotify();
  const make = useMutation({
    mutationFn: () => valueOf(client, 'fleet.makeExample', {}),
    onSuccess: async (example) => {
      notify({
        tone: 'done',
        text: `Made ${counted(example.refs.length, 'replica')} with ${counted(example.rows, 'row')} in ${example.folder}.`,
      });
      await queryClient.invalidateQueries({ queryKey: ['fleet'] });
    },
  });
  return (
    <Offer
      icon={Store}
      title="Try the example fleet"
      text="Five replicas of a small chain of shops, real files in a folder of yours. Three are blocked on one table, so there is something to decide."
    >
      <Button
        tone="primary"
        busy={make.isPending}
        aria-disabled={exists}
        onClick={() => {
          if (!exists) make.mutate();
        }}
      >
        {make.isPending ? 'Making the example fleet' : 'Try the example fleet'}
      </Button>
      {exists && <p className="dim small">Its files are there already; open them as databases.</p>}
      {make.error !== null && <OfferFailed error={make.error} />}
    </Offer>
  );
}

function OfferFailed({ error }: { readonly error: Error }) {
  const { why, next } = failureWords(error);
  return (
    <p className="form-failed st-blocked" role="alert">
      <b>The example was not made.</b> {why} {next}
    </p>
  );
}
