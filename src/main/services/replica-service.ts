import { sqlValueToJson } from '#shared/model/json-sql-value.ts';
import type { Handlers } from '#shared/api/types.ts';
import { err, ok } from '#shared/result.ts';
import { buildChecklist } from './build-checklist.ts';
import { givenOf } from './given-of.ts';
import { createHeldHandlers } from './held-service.ts';
import { onMember, readMember } from './on-member.ts';
import { createRehearsalHandlers } from './rehearsal-service.ts';
import { createUpkeepHandlers } from './upkeep-service.ts';
import type { ServicePorts } from './service-ports.ts';

type ReplicaHandlers = Pick<Handlers, Extract<keyof Handlers, `replica.${string}`>>;

/** What the console asks of one replica of this machine. */
export function createReplicaHandlers(ports: ServicePorts): ReplicaHandlers {
  const { members, board, links } = ports;

  return {
    'replica.get': async ({ ref }) => {
      const replica = board.replica(ref);
      return Promise.resolve(replica === null ? err({ code: 'replica-unknown', ref }) : ok(replica));
    },
    'replica.catalog': ({ ref }) => readMember(members, ref, (member) => member.reader().catalog()),
    'replica.definitions': ({ ref }) => readMember(members, ref, (member) => member.reader().definitions()),
    'replica.diffCatalog': ({ ref, ...request }) =>
      readMember(members, ref, (member) => member.reader().diffCatalog(request)),
    'replica.migrations': ({ ref, ...filter }) =>
      readMember(members, ref, (member) => member.reader().migrations(givenOf(filter))),
    'replica.blocked': ({ ref }) => readMember(members, ref, (member) => member.reader().blocked()),
    ...createHeldHandlers(ports),
    'replica.journal': ({ ref, ...page }) =>
      readMember(members, ref, (member) => member.reader().journal(givenOf(page))),
    'replica.findings': ({ ref }) => readMember(members, ref, (member) => member.reader().findings()),
    'replica.checklist': async ({ ref, peer }) => {
      const replica = board.replica(ref);
      if (replica === null) return Promise.resolve(err({ code: 'replica-unknown', ref }));
      return Promise.resolve(ok(buildChecklist({ replica, peer, fleet: board.fleet(), links: links.all() })));
    },
    'replica.previewShape': ({ ref, table, ddl }) =>
      onMember(members, ref, (member) => member.keeper.replica.previewShape(table, ddl)),
    ...createRehearsalHandlers(members),
    ...createUpkeepHandlers(ports),
    'replica.query': ({ ref, sql }) =>
      onMember(members, ref, async (member) => {
        const startMs = ports.clock.nowMs();
        const run = await ports.sql.run(member.record().path, sql);
        if (!run.ok) return err(run.error);
        const rows = run.value.rows.map((row) => [...row]);
        return ok({
          columns: [...run.value.columns],
          rows,
          truncated: run.value.truncated,
          elapsedMs: ports.clock.nowMs() - startMs,
        });
      }),
    'replica.exec': ({ ref, sql }, caller) =>
      onMember(members, ref, async (member) => {
        const run = await member.keeper.replica.exec(sql);
        if (!run.ok) return run;
        const changes = run.value.reduce((sum, result) => sum + result.changes, 0);
        ports.activity.note(
          'executed',
          { statements: run.value.length, changes, who: caller.name },
          member.record(),
        );
        return ok(
          run.value.map((result) => ({
            ...result,
            columns: [...result.columns],
            rows: result.rows.map((row) => row.map(sqlValueToJson)),
          })),
        );
      }),
  };
}
