import { sqlValueToJson } from '#shared/model/json-sql-value.ts';
import type { JsonSqlValue } from '#shared/model/sql-value.ts';
import type { ColumnView, HeldView } from '#shared/model/views.ts';
import type { Result } from '#shared/result.ts';
import { err, ok } from '#shared/result.ts';

/** How SQLite stores a value; `textBytes` is text that no field can show as it is. */
export type ValueKind = 'null' | 'integer' | 'real' | 'text' | 'blob' | 'textBytes';

/** A value as it is typed. */
export interface TypedValue {
  readonly kind: ValueKind;
  readonly text: string;
}

/** A column of the table, and what the held row has for it. */
export interface EditField {
  readonly column: ColumnView;
  /** Null where the held row says nothing of it: the table's default goes in. */
  readonly held: TypedValue | null;
}

/** A field as it stands in the form. */
export interface EditedField extends EditField {
  readonly typed: TypedValue;
  readonly isChanged: boolean;
  /** Why it cannot be written so; null when it can. */
  readonly wrong: string | null;
}

/** Columns of the table in their order, as SQLite pairs names: whatever their case. Generated ones are nobody's to write. */
export function editFields(
  columns: readonly ColumnView[],
  { values }: Pick<HeldView, 'values'>,
): readonly EditField[] {
  const held = new Map(Object.entries(values).map(([name, value]) => [name.toLowerCase(), value]));
  return columns
    .filter(({ generated }) => !generated)
    .map((column) => {
      const value = held.get(column.name.toLowerCase());
      return { column, held: value === undefined ? null : typedOf(value) };
    });
}

/** The field with what was typed into it so far, by the name of its column. */
export function editedField(
  field: EditField,
  typedByColumn: Readonly<Record<string, TypedValue>>,
): EditedField {
  const { column, held } = field;
  const given = typedByColumn[column.name];
  const typed = given ?? held ?? { kind: 'null', text: '' };
  const isChanged = given !== undefined && (held?.kind !== given.kind || held.text !== given.text);
  return { ...field, typed, isChanged, wrong: isChanged ? wrongWords(column, typed) : null };
}

/** What to write: the changed fields alone. Call it where none is wrong. */
export function changedValues(fields: readonly EditedField[]): Readonly<Record<string, JsonSqlValue>> {
  return Object.fromEntries(
    fields
      .filter(({ isChanged }) => isChanged)
      .flatMap(({ column, typed }) => {
        const value = parseTyped(typed);
        return value.ok ? [[column.name, value.value] as const] : [];
      }),
  );
}

function wrongWords({ name, notNull }: ColumnView, typed: TypedValue): string | null {
  if (typed.kind === 'null') return notNull ? `${name} demands a value.` : null;
  const value = parseTyped(typed);
  return value.ok ? null : value.error.message;
}

/** A value as it stands in a field. */
export function typedOf(value: JsonSqlValue): TypedValue {
  if (value === null) return { kind: 'null', text: '' };
  if (typeof value === 'string') return { kind: 'text', text: value };
  if (typeof value === 'number')
    return { kind: Number.isInteger(value) ? 'integer' : 'real', text: String(value) };
  if ('int' in value) return { kind: 'integer', text: value.int };
  if ('real' in value) return { kind: 'real', text: value.real };
  return 'blob' in value ? { kind: 'blob', text: value.blob } : { kind: 'textBytes', text: value.text };
}

const INTEGER_MIN = -(2n ** 63n);
const INTEGER_MAX = 2n ** 63n - 1n;

interface NotAValue {
  readonly code: 'not-a-value';
  readonly message: string;
}

const notAValue = (message: string) => err<NotAValue>({ code: 'not-a-value', message });

/** The value that was typed. Errors: one sentence that says how it is written. */
export function parseTyped({ kind, text }: TypedValue): Result<JsonSqlValue, NotAValue> {
  switch (kind) {
    case 'null':
      return ok(null);
    case 'text':
      return ok(sqlValueToJson(text));
    case 'integer':
      return parseInteger(text.trim());
    case 'real':
      return parseReal(text.trim());
    case 'blob':
    case 'textBytes':
      return parseBytes(kind, text.replaceAll(/\s/g, '').toLowerCase());
  }
}

function parseInteger(text: string): Result<JsonSqlValue, NotAValue> {
  if (!/^[+-]?\d{1,30}$/.test(text)) return notAValue('A whole number has digits alone, such as 42 or -7.');
  const value = BigInt(text.replace('+', ''));
  if (value < INTEGER_MIN || value > INTEGER_MAX) return notAValue('SQLite keeps whole numbers of 64 bits.');
  return ok(sqlValueToJson(value));
}

function parseReal(text: string): Result<JsonSqlValue, NotAValue> {
  if (text === 'inf' || text === '-inf') return ok({ real: text });
  if (!/^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text) || !Number.isFinite(Number(text)))
    return notAValue('A number with a fraction is written like 12.5 or 1e-3.');
  return ok(sqlValueToJson(Number(text)));
}

function parseBytes(kind: 'blob' | 'textBytes', hex: string): Result<JsonSqlValue, NotAValue> {
  if (!/^(?:[0-9a-f]{2})*$/.test(hex))
    return notAValue('Bytes are written as pairs of 0–9 and a–f, such as 00ff.');
  return ok(kind === 'blob' ? { blob: hex } : { text: hex });
}

/** What a value typed into an empty field is first taken for. */
export function kindOfType(type: string): ValueKind {
  const declared = type.toLowerCase();
  const has = (...parts: readonly string[]): boolean => parts.some((part) => declared.includes(part));
  if (has('int')) return 'integer';
  if (has('real', 'floa', 'doub') && !has('char', 'clob', 'text')) return 'real';
  return has('blob') ? 'blob' : 'text';
}

/** `REAL, demands a value`: what the table says of a column. */
export function columnWords({ type, notNull, primaryKey }: ColumnView): string {
  const parts = [
    type === '' ? 'no type' : type,
    ...(primaryKey > 0 ? ['part of the key, which stays'] : []),
    ...(notNull && primaryKey === 0 ? ['demands a value'] : []),
  ];
  return parts.join(', ');
}

/** Why a held change cannot be edited here; null when it can. */
export function notEditable(chosen: HeldView | null): string | null {
  if (chosen === null) return 'To edit, choose a row.';
  return chosen.op === 'row' ? null : 'Only whole rows are edited.';
}

/** Values of the held row that no column here takes: the engine refuses the row for them. */
export function valuesWithoutColumn(
  columns: readonly ColumnView[],
  { values }: Pick<HeldView, 'values'>,
): readonly string[] {
  const here = new Set(columns.map(({ name }) => name.toLowerCase()));
  return Object.entries(values).flatMap(([name, value]) =>
    value === null || here.has(name.toLowerCase()) ? [] : [name],
  );
}
