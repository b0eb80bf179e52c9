import type { BlockedView } from '#shared/model/views.ts';

export interface WayOut {
  readonly at: 'here' | 'origin';
  readonly sql: string;
}

/** What takes away what a line is blocked by, where no decision about it is offered: the mildest first. */
export function waysOut({ cause, kind, object, column }: BlockedView): readonly WayOut[] {
  const name = `"${object}"`;
  const drop = `DROP ${kind.toUpperCase()} ${name}`;
  const dropping: readonly WayOut[] = [
    { at: 'here', sql: drop },
    { at: 'origin', sql: drop },
  ];
  if (cause === 'rowsBreakConstraint') {
    return kind === 'table' ? [{ at: 'here', sql: `DELETE FROM ${name}` }, ...dropping] : dropping;
  }
  if (cause !== 'nameCollision') return dropping;
  const others = ['TABLE', 'INDEX', 'VIEW', 'TRIGGER'].map((other): WayOut => ({
    at: 'here',
    sql: `DROP ${other} ${name}`,
  }));
  const dropColumn: readonly WayOut[] =
    column === null ? [] : [{ at: 'here', sql: `ALTER TABLE ${name} DROP COLUMN "${column}"` }];
  return [...dropColumn, ...others, ...dropping];
}
