import { expect, test } from 'vitest';

import type { BlockedDetail } from '#shared/api/blocked-procedures.ts';
import type { DefinitionDifference, ShapePreview } from '#shared/model/views.ts';
import { BlockCause, ResolutionOption } from '#shared/model/vocabulary.ts';
import { applyLabel, applyTerms } from '#renderer/features/blocked/apply-model.ts';
import { blockedVerdict } from '#renderer/features/blocked/blocked-verdict-model.ts';
import { definitionHeads, differenceRows } from '#renderer/features/blocked/definitions-model.ts';
import { optionCards, previewTotals } from '#renderer/features/blocked/option-cards-model.ts';
import type { Preview } from '#renderer/features/blocked/option-cards-model.ts';
import { outcomeVerdict } from '#renderer/features/blocked/outcome-model.ts';
import { afterCells, previewLines } from '#renderer/features/blocked/preview-model.ts';
import { sentenceText } from '#renderer/ui/sentence-model.ts';

import { NOW_MS, ORDERS_CONFLICT, shopsFleet } from '../support/fake-fleet.ts';
import { aDetail, aShape } from '../support/fake-views.ts';

const detailOf = (change: Partial<BlockedDetail> = {}): BlockedDetail => {
  const detail = aDetail(shopsFleet(), 'market');
  if (detail === null) throw new Error('The example has a blocked market');
  return { ...detail, ...change };
};

const aPreview = (shapes: Readonly<Record<string, Partial<ShapePreview> | null>>): Preview => ({
  ...aShape(),
  conflictId: ORDERS_CONFLICT,
  option: 'takeRemote',
  object: 'orders',
  changesLocalShape: true,
  changesRemoteShape: false,
  unitFacts: 1,
  behindChanges: 1284,
  replicas: Object.entries(shapes).map(([name, shape]) => ({
    ref: name,
    name,
    role: name === 'market' ? 'here' : name.startsWith('till') ? 'stuck' : 'other',
    shape: shape === null ? null : aShape(shape),
    note: shape === null ? 'does not answer' : null,
  })),
});

test.for(BlockCause.options)('the cause %s is said as a whole sentence', (cause) => {
  const { headline } = blockedVerdict({
    detail: detailOf({ cause, column: 'total' }),
    replica: { ref: 'market', name: 'market' },
    nowMs: NOW_MS,
  });
  expect(sentenceText(headline)).toMatch(/^market cannot take hq’s batch: [^:]{12,}\.$/);
});

const difference = (kind: string, local: string | null, remote: string | null): DefinitionDifference => ({
  kind,
  subject: 'total',
  local,
  remote,
});

test.for([
  [
    difference('type', 'REAL', 'TEXT'),
    'type',
    'REAL',
    'TEXT',
    'numbers become text, or text becomes numbers',
  ],
  [
    difference('type', 'INTEGER', 'REAL'),
    'type',
    'INTEGER',
    'REAL',
    'fractions are cut where INTEGER is chosen',
  ],
  [difference('type', 'BLOB', 'TEXT'), 'type', 'BLOB', 'TEXT', 'values are converted to the chosen type'],
  [
    difference('notNull', 'NOT NULL', null),
    'NOT NULL',
    'NOT NULL',
    'allows NULL',
    'rows without a value are held under the shape that demands one',
  ],
  [difference('default', null, '0'), 'default', 'none', '0', 'only new rows feel it'],
  [
    difference('collation', null, 'NOCASE'),
    'collation',
    'BINARY',
    'NOCASE',
    'values that differ only in case may become one',
  ],
  [
    difference('column', 'total REAL', null),
    'column',
    'here',
    'absent',
    'its values are held under the shape without it',
  ],
  [
    difference('column', null, 'total REAL'),
    'column',
    'absent',
    'there',
    'rows here get its default, or NULL',
  ],
  [
    difference('somethingNew', 'a', 'b'),
    'somethingNew',
    'a',
    'b',
    'the preview says what the rows go through',
  ],
] as const)('the difference %o is told by meaning', ([given, kind, here, comingIn, means]) => {
  expect(differenceRows([given], 'orders')[0]).toMatchObject({
    subject: 'total',
    kind,
    here,
    comingIn,
    means,
  });
});

test('a difference of the whole object carries its name', () => {
  expect(
    differenceRows([{ ...difference('strict', 'STRICT', null), subject: '' }], 'orders')[0]?.subject,
  ).toBe('orders');
});

test('heads say whose a definition is, when it was made, and how many rows it has here', () => {
  const { local, remote } = definitionHeads(detailOf(), { name: 'market', nowMs: NOW_MS });
  expect(local.title).toBe('Here, market');
  expect(local.note).toMatch(/^created \d\d:48:00 by market, 212 rows$/);
  expect(remote.title).toBe('Coming in from hq');
  const old = definitionHeads(detailOf(), { name: 'market', nowMs: NOW_MS + 3 * 24 * 3_600_000 });
  expect(old.remote.note).toBe('created 30 Nov 2026 by hq');
});

test('cards stand in a fixed order, the two shapes first, whatever order the host has', () => {
  const detail = detailOf({ options: [...ResolutionOption.options].reverse() });
  const cards = optionCards({ detail, hereName: 'market', previewByOption: new Map() });
  expect(cards.map(({ option }) => option)).toEqual([
    'takeRemote',
    'keepLocal',
    'merge',
    'renameLocalAside',
    'setAside',
    'retry',
    'skip',
    'newSite',
  ]);
  for (const { consequence, price } of cards) {
    expect(consequence.endsWith('.')).toBe(true);
    expect(price.split(' ').length).toBeLessThanOrEqual(3);
  }
});

test.for([
  [{}, 'loses nothing', 'safe'],
  [{ cellsHeld: [{ column: 'note', cells: 2 }] }, 'some held', 'risk'],
  [{ rowsHeld: 1 }, 'some held', 'risk'],
  [{ lossyCasts: 1, rowsHeld: 1 }, '1 cast loses', 'risk'],
  [{ lossyCasts: 9 }, '9 casts lose', 'risk'],
] as const)('a preview with %o has the price %s', ([shape, price, priceTone]) => {
  const previewByOption = new Map([
    ['takeRemote', aPreview({ market: shape as Partial<ShapePreview> })],
  ] as const);
  const card = optionCards({ detail: detailOf(), hereName: 'market', previewByOption })[0];
  expect(card).toMatchObject({ option: 'takeRemote', price, priceTone });
});

test('figures are summed over the replicas that were counted', () => {
  const preview = aPreview({
    market: { rows: 10, rowsConverted: 4, lossyCasts: 1 },
    'till-1': { rows: 5, rowsConverted: 0, lossyCasts: 2 },
    van: null,
  });
  expect(previewTotals(preview)).toEqual({
    rows: 15,
    converted: 4,
    lossy: 3,
    cellsHeld: 0,
    rowsHeld: 0,
    losingReplicas: 2,
  });
});

test('the preview tells what converts, keeps, loses, is held, is not known, and what follows', () => {
  const preview = aPreview({
    market: { rows: 10, rowsConverted: 10, lossyCasts: 2, cellsHeld: [{ column: 'note', cells: 1 }] },
    'till-1': { rows: 5, rowsConverted: 0, rowsHeld: 3 },
    van: null,
  });
  expect(previewLines(preview, detailOf()).map(({ mark, text }) => `${mark}: ${sentenceText(text)}`)).toEqual(
    [
      'fits: market converts 10 rows',
      'fits: till-1 keeps 5 rows as they are',
      'loses: market loses something in 2 casts',
      'held: 1 value of note goes to held',
      'held: 3 rows are held until the value that is demanded is there',
      'unknown: van: does not answer',
      'then: Then 1,804 waiting changes flow',
      'then: Frees 2 replicas: market and till-1',
    ],
  );
});

test('after the decision each replica has its own words', () => {
  const preview = aPreview({
    market: { rowsConverted: 212 },
    'till-1': { rows: 88, rowsConverted: 0 },
    hq: { rows: 3, rowsConverted: 0 },
    van: null,
  });
  expect(afterCells(preview, detailOf()).map(({ name, words }) => `${name} ${words}`)).toEqual([
    'market converts 212 rows, then takes in 1,284 changes',
    'till-1 keeps its 88 rows, then takes in 118 changes',
    'hq keeps its 3 rows at its next sync',
    'van does not answer',
  ]);
});

const blank = {
  option: 'takeRemote',
  object: 'orders',
  because: 'x',
  typedName: '',
  typedReplicas: '',
} as const;
const losing = { lossyCasts: 3 };

test.for([
  { title: 'no preview', input: { ...blank, preview: undefined }, missing: 'Preview it first.' },
  {
    title: 'no reason',
    input: { ...blank, preview: aPreview({ market: {} }), because: ' ' },
    missing: 'Say why; it goes into the decision journal.',
  },
  { title: 'nothing', input: { ...blank, preview: aPreview({ market: {} }) }, missing: null },
  {
    title: 'the name',
    input: { ...blank, preview: aPreview({ market: losing }), typedName: 'order' },
    missing: 'Type orders to confirm.',
  },
  {
    title: 'nothing once the name stands there',
    input: { ...blank, preview: aPreview({ market: losing }), typedName: 'orders' },
    missing: null,
  },
  {
    title: 'the number of replicas',
    input: {
      ...blank,
      preview: aPreview({ market: losing, 'till-1': losing }),
      typedName: 'orders',
      typedReplicas: '1',
    },
    missing: 'Type the number of replicas that lose something: 2.',
  },
  {
    title: 'nothing once the number stands there too',
    input: {
      ...blank,
      preview: aPreview({ market: losing, 'till-1': losing }),
      typedName: 'orders',
      typedReplicas: '2',
    },
    missing: null,
  },
  {
    title: 'only the reason for setting aside',
    input: { ...blank, option: 'setAside' as const, preview: undefined },
    missing: null,
  },
])('before applying, $title is missing', ({ input, missing }) => {
  expect(applyTerms(input).missing).toBe(missing);
});

test('the button says verb and object, and whose shape it is', () => {
  expect(ResolutionOption.options.map((option) => applyLabel(option, detailOf()))).toEqual([
    'Keep market’s orders',
    'Take hq’s orders',
    'Merge orders',
    'Rename orders aside',
    'Set orders aside',
    'Retry the batch',
    'Skip the batch',
    'Take hq on as a new site',
  ]);
  expect(applyLabel('takeRemote', detailOf({ sides: [] }))).toBe('Take remote orders');
});

const outcome = (stillStuck: readonly boolean[]) => ({
  conflictId: ORDERS_CONFLICT,
  option: 'takeRemote' as const,
  fingerprintBefore: 'a',
  fingerprintAfter: 'b',
  admitted: { groups: 1, factsApplied: 1284, factsSuperseded: 0, factsHeld: 0, migrations: 1 },
  rounds: 2,
  replicas: stillStuck.map((stuck, index) => ({
    ref: `r${index}`,
    name: `r${index}`,
    state: 'inSync' as const,
    wasStuck: true,
    stillStuck: stuck,
  })),
});

test.for([
  [[], 'orders is decided: nothing is stuck on it any more.'],
  [[false], 'orders is decided: the replica that was stuck is free.'],
  [[false, false], 'orders is decided: both replicas are free.'],
  [[false, false, false], 'orders is decided: all three replicas are free.'],
  [[false, true], 'orders is decided, and on its way to r1.'],
] as const)('an outcome with %j still stuck is told', ([stillStuck, said]) => {
  expect(sentenceText(outcomeVerdict(outcome(stillStuck), 'orders').headline)).toBe(said);
});
