import type { ConsoleDatabase } from '../store/console-database.ts';

export interface Settings {
  readonly get: (key: string) => string | null;
  readonly set: (key: string, value: string) => void;
}

/** Small things that the console remembers, by name. */
export function createSettings(db: ConsoleDatabase): Settings {
  return {
    get: (key) => {
      const value = db.all('select value from setting where key = ?', [key])[0]?.['value'];
      return typeof value === 'string' ? value : null;
    },
    set: (key, value) =>
      void db.run(
        'insert into setting (key, value) values (?, ?) on conflict do update set value = excluded.value',
        [key, value],
      ),
  };
}
