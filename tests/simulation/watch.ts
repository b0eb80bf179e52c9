import type { Stage } from './stage.ts';
import type { Fault } from './story.ts';

// What must hold of a replica after every step, whatever happened.

/** Numbers that only ever rise. */
interface Marks {
  readonly head: number;
  readonly stamp: bigint;
  readonly watermarks: ReadonlyMap<number, { readonly epoch: string; readonly seq: number }>;
}

export interface Watch {
  /** Looks at a replica that a step has touched. */
  readonly look: (
    name: string,
    how: { readonly thorough: boolean; readonly bookkeeping: boolean },
  ) => Promise<readonly Fault[]>;
  /** Another program changed its schema, and no host has seen that yet: what the file is and what is recorded may differ. */
  readonly unseen: (name: string) => void;
  readonly seen: (name: string) => void;
  /** An older file was put back: its numbers begin there. */
  readonly forget: (name: string) => void;
}

export function createWatch(stage: Stage): Watch {
  const marksByName = new Map<string, Marks>();
  const unseen = new Set<string>();

  return {
    unseen: (name) => void unseen.add(name),
    seen: (name) => void unseen.delete(name),
    forget: (name) => void marksByName.delete(name),
    look: async (name, { thorough, bookkeeping }) => {
      const marks = readMarks(stage, name);
      const before = marksByName.get(name);
      marksByName.set(name, marks);
      const problems =
        !bookkeeping || unseen.has(name) || !stage.isUp(name) ? [] : await selfCheck(stage, name);
      return [
        ...(before === undefined ? [] : comparedMarks(name, before, marks)),
        ...problems.map((text) => unsound(name, 'selfCheck', text)),
        ...(thorough ? integrityOf(stage, name).map((text) => unsound(name, 'integrity', text)) : []),
      ];
    },
  };
}

/** What is derived from the log is looked at when it has been brought up to date. */
async function selfCheck(stage: Stage, name: string): Promise<readonly string[]> {
  const isFolded = stage.look(name, (db) => db.prepare<[], number>(IS_FOLDED).pluck().get() === 1);
  const problems = await (await stage.world.host(name)).selfCheck();
  return problems.filter((text) => isFolded || !text.endsWith('are there and recorded as deleted.'));
}

const IS_FOLDED = `select (select coalesce(max(seq), 0) from _concord_log)
  <= coalesce((select cast(value as integer) from _concord_meta where key = 'foldedSeq'), 0)`;

const unsound = (name: string, kind: 'selfCheck' | 'integrity', text: string): Fault => ({
  kind,
  text: `${name}: ${text}`,
  expects: { kind: 'expect', expectation: { kind: 'integrity', replicas: [name] } },
});

const integrityOf = (stage: Stage, name: string): readonly string[] =>
  stage
    .look(name, (db) => db.prepare('pragma integrity_check').pluck().all())
    .map(String)
    .filter((line) => line !== 'ok');

function readMarks(stage: Stage, name: string): Marks {
  return stage.look(name, (db) => {
    const [head, stamp] = db
      .prepare<[], readonly [bigint, bigint]>(
        'select coalesce(max(seq), 0), coalesce(max(hlc), 0) from _concord_log where kind = 8',
      )
      .safeIntegers()
      .raw()
      .get() ?? [0n, 0n];
    const peers = db
      .prepare<[], readonly [number, string, number]>(
        // Who is read again begins anew, wherever it stood.
        `select site, iif(coalesce(inside, '') like 'again:%', '', coalesce(epoch, '')), seq from _concord_peer`,
      )
      .raw()
      .all();
    return {
      ...{ head: Number(head), stamp },
      watermarks: new Map(peers.map(([site, epoch, seq]) => [site, { epoch, seq }])),
    };
  });
}

function comparedMarks(name: string, before: Marks, after: Marks): readonly Fault[] {
  const backward = [...before.watermarks].filter(([site, { epoch, seq }]) => {
    const now = after.watermarks.get(site);
    return now === undefined || (now.epoch === epoch && now.seq < seq);
  });
  const texts: readonly (readonly [Fault['kind'], string, boolean])[] = [
    ['stamp', `${name}: the head went back from ${before.head} to ${after.head}`, after.head < before.head],
    ['stamp', `${name}: a notice has an earlier stamp than one before it`, after.stamp < before.stamp],
    ['watermark', `${name}: the watermark of ${backward.length} peers went back`, backward.length > 0],
  ];
  return texts.flatMap(([kind, text, isSo]) => (isSo ? [{ kind, text, expects: null }] : []));
}
