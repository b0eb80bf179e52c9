import { useEffect, useId, useRef } from 'react';
import type { MouseEvent, ReactNode, RefObject } from 'react';

import { nextRowIndex } from './grid-model.ts';
import type { GridEntry } from './grid-model.ts';
import { useVirtualRows } from './use-virtual-rows.ts';
import './data-grid.css';

export interface Column<Row> {
  readonly key: string;
  readonly head: string;
  /** Numbers stand at the right. */
  readonly isNumber?: boolean;
  readonly width?: string;
  /** Long text breaks into more lines: no word of it is cut off. A grid with such a column is for lists of some hundred rows. */
  readonly wraps?: boolean;
  /** Takes the room that the others leave, and ends in an ellipsis where it is not enough; the whole is said elsewhere. */
  readonly isCut?: boolean;
  /** 1 goes first when the room gets narrow, 4 last; without it a column never goes. */
  readonly shrink?: 1 | 2 | 3 | 4;
  /** Names the row when it is read aloud. */
  readonly isRowHead?: boolean;
  /** Given when rows can be put in the order of this column. */
  readonly isSortable?: boolean;
  readonly cell: (row: Row) => ReactNode;
}

export interface GridSort {
  readonly key: string;
  readonly direction: 'ascending' | 'descending';
}

interface DataGridProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly entries: readonly GridEntry<Row>[];
  readonly rowKey: (row: Row) => string;
  /** What a row is called when it is read aloud, as a sentence. */
  readonly rowLabel?: (row: Row) => string;
  readonly selectedKey?: string | null;
  readonly onSelect?: (row: Row) => void;
  /** Enter or a double click. */
  readonly onOpen?: (row: Row) => void;
  readonly sort?: GridSort | null;
  readonly onSort?: (key: string) => void;
  readonly rowHeightPx?: number;
}

const ROW_PX = 30;

/**
 * A table of rows. With `onSelect` it is a grid that the arrow keys walk: one stop for Tab, the selected row is the
 * active one. Over 100 entries only those in view are drawn, unless a column wraps.
 */
export function DataGrid<Row>(props: DataGridProps<Row>) {
  const { label, columns, entries, onSelect } = props;
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const window = useVirtualRows({
    count: entries.length,
    rowPx: props.rowHeightPx ?? ROW_PX,
    hasOneHeight: !columns.some(({ wraps }) => wraps),
    scroller,
  });
  const selectedIndex = entries.findIndex((entry) => isSelected(entry, props));
  useKeepInView({ selectedIndex, scroller, scrollTo: window.scrollToIndex });
  const isGrid = onSelect !== undefined;
  const table = useRef<HTMLTableElement>(null);
  useIdleKeys(table, (event) => walk({ event, props, selectedIndex }));
  const shown = entries.slice(window.start, window.end);
  return (
    <div className="grid-scroll" ref={scroller} tabIndex={isGrid ? undefined : 0}>
      <table
        ref={table}
        className="grid"
        role={isGrid ? 'grid' : undefined}
        aria-label={label}
        aria-rowcount={entries.length + 1}
        tabIndex={isGrid ? 0 : undefined}
        aria-activedescendant={selectedIndex < 0 || !isGrid ? undefined : `${id}-${selectedIndex}`}
        onKeyDown={(event) => {
          // Keys that a button or link inside the grid takes are not the grid's.
          if (event.target === event.currentTarget) walk({ event: event.nativeEvent, props, selectedIndex });
        }}
      >
        <GridHead columns={columns} sort={props.sort ?? null} onSort={props.onSort} />
        <tbody>
          <Spacer heightPx={window.abovePx} span={columns.length} />
          {shown.map((entry, offset) => (
            <EntryRow
              key={entry.kind === 'group' ? `group ${entry.key}` : props.rowKey(entry.row)}
              id={`${id}-${window.start + offset}`}
              index={window.start + offset}
              entry={entry}
              grid={props}
            />
          ))}
          <Spacer heightPx={window.belowPx} span={columns.length} />
        </tbody>
      </table>
    </div>
  );
}

function GridHead<Row>(props: {
  readonly columns: readonly Column<Row>[];
  readonly sort: GridSort | null;
  readonly onSort: ((key: string) => void) | undefined;
}) {
  const { columns, sort, onSort } = props;
  return (
    <thead>
      <tr>
        {columns.map((column) => (
          <th
            key={column.key}
            scope="col"
            className={cellClass(column)}
            style={column.width === undefined ? undefined : { width: column.width }}
            aria-sort={sort?.key === column.key ? sort.direction : undefined}
          >
            {column.isSortable === true && onSort !== undefined ? (
              <button
                type="button"
                className="grid-sort"
                onClick={() => {
                  onSort(column.key);
                }}
              >
                {column.head}
                {sort?.key === column.key && (
                  <span aria-hidden>{sort.direction === 'ascending' ? ' ↑' : ' ↓'}</span>
                )}
              </button>
            ) : (
              column.head
            )}
          </th>
        ))}
      </tr>
    </thead>
  );
}

interface EntryRowProps<Row> {
  readonly id: string;
  readonly index: number;
  readonly entry: GridEntry<Row>;
  readonly grid: DataGridProps<Row>;
}

function EntryRow<Row>({ id, index, entry, grid }: EntryRowProps<Row>) {
  const { columns, onSelect, onOpen, rowLabel } = grid;
  if (entry.kind === 'group') {
    return (
      <tr className="grid-group" aria-rowindex={index + 2}>
        <th scope="rowgroup" colSpan={columns.length}>
          {entry.label} <span className="dim">{entry.note}</span>
        </th>
      </tr>
    );
  }
  const { row } = entry;
  const selected = isSelected(entry, grid);
  return (
    <tr
      id={id}
      aria-rowindex={index + 2}
      aria-selected={onSelect === undefined ? undefined : selected}
      aria-label={rowLabel?.(row)}
      className={selected ? 'grid-selected' : undefined}
      onClick={(event) => {
        if (!isOnControl(event)) onSelect?.(row);
      }}
      onDoubleClick={(event) => {
        if (!isOnControl(event)) onOpen?.(row);
      }}
    >
      {columns.map((column) => {
        const Cell = column.isRowHead === true ? 'th' : 'td';
        return (
          <Cell
            key={column.key}
            scope={column.isRowHead === true ? 'row' : undefined}
            className={cellClass(column)}
          >
            {column.cell(row)}
          </Cell>
        );
      })}
    </tr>
  );
}

/** A link or button in a row does its own work; the row leaves it alone. */
function isOnControl(event: MouseEvent): boolean {
  return event.target instanceof Element && event.target.closest('a, button') !== null;
}

function Spacer({ heightPx, span }: { readonly heightPx: number; readonly span: number }) {
  if (heightPx === 0) return null;
  return (
    <tr aria-hidden className="grid-spacer">
      <td colSpan={span} style={{ height: heightPx }} />
    </tr>
  );
}

/** True when the key did something. */
function walk<Row>(walked: {
  readonly event: KeyboardEvent;
  readonly props: DataGridProps<Row>;
  readonly selectedIndex: number;
}): boolean {
  const { event, props, selectedIndex } = walked;
  const { entries, onSelect, onOpen } = props;
  if (onSelect === undefined || isHeld(event)) return false;
  const current = entries[selectedIndex];
  if (event.key === 'Enter' && current?.kind === 'row') {
    event.preventDefault();
    onOpen?.(current.row);
    return true;
  }
  const next = entries[nextRowIndex({ entries, from: selectedIndex, key: event.key })];
  if (next?.kind !== 'row') return false;
  event.preventDefault();
  onSelect(next.row);
  return true;
}

const isHeld = ({ ctrlKey, metaKey, altKey }: KeyboardEvent): boolean => ctrlKey || metaKey || altKey;

/**
 * Arrow keys work in a list without going to it first: while nothing on the screen has the focus they are the grid's,
 * which then takes it.
 */
function useIdleKeys(grid: RefObject<HTMLElement | null>, press: (event: KeyboardEvent) => boolean): void {
  const latest = useRef(press);
  useEffect(() => {
    latest.current = press;
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      const focused = document.activeElement;
      const isIdle = focused === null || focused === document.body || focused.tagName === 'MAIN';
      if (!isIdle || event.defaultPrevented || document.querySelector('dialog[open]') !== null) return;
      if (latest.current(event)) grid.current?.focus();
    };
    window.addEventListener('keydown', listen);
    return () => {
      window.removeEventListener('keydown', listen);
    };
  }, [grid]);
}

function useKeepInView(view: {
  readonly selectedIndex: number;
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly scrollTo: (index: number) => void;
}): void {
  const { selectedIndex, scroller, scrollTo } = view;
  const scrollToLatest = useRef(scrollTo);
  useEffect(() => {
    scrollToLatest.current = scrollTo;
  });
  useEffect(() => {
    // Only for the reader who walks the grid: a selection from elsewhere leaves the scroll where it is.
    if (selectedIndex >= 0 && scroller.current?.contains(document.activeElement) === true) {
      scrollToLatest.current(selectedIndex);
    }
  }, [selectedIndex, scroller]);
}

function isSelected<Row>(entry: GridEntry<Row>, grid: DataGridProps<Row>): boolean {
  return entry.kind === 'row' && grid.selectedKey !== null && grid.rowKey(entry.row) === grid.selectedKey;
}

function cellClass<Row>(column: Column<Row>): string | undefined {
  const parts = [
    column.isNumber === true ? 'num' : '',
    column.wraps === true ? 'wrap' : '',
    column.isCut === true ? 'cut' : '',
    column.shrink === undefined ? '' : `grid-shrink-${column.shrink}`,
  ];
  const name = parts.filter((part) => part !== '').join(' ');
  return name === '' ? undefined : name;
}
