import { statSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { recoverClock } from '#main/store/clock-state.ts';
import { hasPending, noticeLog } from '#main/store/log-notice.ts';

import { anAttachedReplica } from '../support/store-fixture.ts';

const TABLES = `create table a (id integer primary key, v); create table b (k text primary key, v); insert into a values (1, 1)`;

// Guards LOG-002.
describe('noticeLog', () => {
  it('closes all that was committed since the last notice as one group', () => {
    const replica = anAttachedReplica(TABLES);
    replica.plain.exec(
      `insert into a values (2, 2); update a set v = 3 where id = 1; insert into b values ('x', 1)`,
    );
    const notice = replica.notice();
    expect(notice.changes).toBe(3);
    expect(replica.db.preparePluck<[]>(`select count(*) from _concord_log where kind = 8`).get()).toBe(2n);
    expect(hasPending(replica.db)).toBe(false);
  });

  it('writes nothing when nothing is pending', () => {
    const replica = anAttachedReplica(TABLES);
    const before = replica.notice();
    replica.db.raw.pragma('wal_checkpoint(truncate)');
    expect(replica.notice()).toEqual({ ...before, changes: 0, migrations: 0 });
    expect(statSync(`${replica.path}-wal`).size).toBe(0);
  });

  it('records rows beyond the mark as one range, however many there are', () => {
    const replica = anAttachedReplica(TABLES);
    replica.plain.exec(
      `insert into a select value, 0 from (with recursive n(value) as (select 5000 union all select value + 1 from n limit 3000) select * from n)`,
    );
    expect(replica.notice().changes).toBe(3_000);
    const entries = replica.db.prepareRaw<[]>(`select kind, rid, hi from _concord_log where seq > 2`).all();
    expect(entries).toEqual([
      [5n, 5_000n, 7_999n],
      [8n, null, null],
    ]);
  });

  it('goes on with ranges while rows come in bulk, and with entries while they come alone', () => {
    const replica = anAttachedReplica(TABLES);
    const kinds = (): readonly bigint[] => {
      const read = replica.db.preparePluck<[], bigint>(`select kind from _concord_log order by seq`);
      return read.all().filter((kind) => kind !== 8n && kind !== 6n);
    };
    const bulk = (from: number): void => {
      replica.plain.exec(
        `insert into a select value, 0 from (with recursive n(value) as (select ${from} union all select value + 1 from n limit 500) select * from n)`,
      );
      replica.notice();
    };
    [2_000, 2_500, 3_000].forEach(bulk);
    expect(kinds()).toEqual([5n, 5n, 5n]);
    for (let row = 0; row < 3; row += 1) {
      replica.plain.exec('insert into a (v) values (0)');
      replica.notice();
    }
    expect(kinds()).toEqual([5n, 5n, 5n, 5n, 1n, 1n]);
  });

  it('never gives an HLC twice, nor one at or below what the clock has seen', () => {
    const replica = anAttachedReplica(TABLES);
    const seen = [replica.notice().hlc];
    for (const value of [1, 2, 3]) {
      replica.plain.exec(`update a set v = 10 + ${value}`);
      seen.push(replica.notice().hlc);
    }
    expect([...new Set(seen)].sort()).toEqual(seen);
    const far = BigInt(replica.clock.nowMs() + 9_000) << 16n;
    replica.plain.exec(`update a set v = 99`);
    const notice = replica.db.transaction(() =>
      noticeLog(replica.db, { registry: replica.registry, nowMs: replica.clock.nowMs(), clockLast: far }),
    );
    expect(notice.hlc).toBe(far + 1n);
  });

  it('goes on above the stored state when reopened, even with the wall clock behind (H10)', () => {
    const replica = anAttachedReplica(TABLES);
    replica.plain.exec('update a set v = 2');
    const { hlc } = replica.notice();
    replica.clock.set(1_000);
    expect(recoverClock(replica.db)).toBe(hlc);
    replica.plain.exec('update a set v = 3');
    expect(replica.notice().hlc).toBeGreaterThan(hlc);
  });

  it('keeps the order of entries where the clock stepped back among them', () => {
    const replica = anAttachedReplica(TABLES);
    replica.notice();
    for (const [time, value] of [
      [1_900_000_000_000, 2],
      [1_850_000_000_000, 3],
    ]) {
      replica.db.exec(`update _concord_state set now_ms = ${time}`);
      replica.plain.exec(`update a set v = ${value}`);
    }
    replica.db.transaction(() =>
      noticeLog(replica.db, { registry: replica.registry, nowMs: 1_850_000_000_000, clockLast: 0n }),
    );
    const hlcs = replica.db
      .preparePluck<[], bigint>(`select hlc from _concord_log where kind = 2 order by seq`)
      .all();
    expect(hlcs).toEqual([1_900_000_000_000n << 16n, 1_900_000_000_000n << 16n]);
  });
});
