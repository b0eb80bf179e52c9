import { queryPlain } from '../store/plain-connection.ts';
import { isSameRow, rowsText } from './compare-values.ts';
import type { ScenarioWorld } from './scenario-world.ts';
import type { Expectation } from './scenario.ts';
import { failed, firstFailure, PASSED, type StepOutcome } from './step-outcome.ts';

/** Whether a query gives exactly these rows in this order, on every replica named. Needs no host: it reads the file. */
export async function checkRows(
  world: ScenarioWorld,
  { on, sql, are }: Extract<Expectation, { kind: 'rows' }>,
): Promise<StepOutcome> {
  return firstFailure(on, async (name) => Promise.resolve(compare(name, world.path(name))));

  function compare(name: string, path: string): StepOutcome {
    const rows = queryPlain(path, sql);
    if (!rows.ok) return failed(`on ${name}: rows of ${JSON.stringify(sql)}`, rows.error.message);
    if (are === undefined) return PASSED;
    const isSame =
      rows.value.length === are.length && rows.value.every((row, index) => isSameRow(row, are[index] ?? []));
    return isSame ? PASSED : failed(`on ${name}: ${rowsText(are)}`, rowsText(rows.value));
  }
}
