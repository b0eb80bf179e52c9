import type { ConsoleMigration } from '../store/console-database.ts';

/** Numbered by place, never edited once released: a change is a further step at the end. */
export const CONSOLE_MIGRATIONS: readonly ConsoleMigration[] = [
  [
    // Replicas of this machine. ref is drawn once and names the replica for good; path is absolute.
    `create table replica (
      ref text primary key, path text not null unique, name text not null, group_name text, site text,
      added_ms integer not null) strict, without rowid`,

    // Other hosts whose replicas this fleet shows. Their tokens lie with the secrets.
    `create table remote_host (
      id text primary key, url text not null unique, added_ms integer not null) strict, without rowid`,

    // a is always a replica of this machine. b is a ref (of this machine or of a remote host), or null where the
    // other end is reached by url for sync alone.
    `create table link (
      id text primary key, a text not null references replica (ref) on delete cascade, b text, b_name text not null,
      via text not null check (via in ('inProcess', 'webSocket')), url text, paused integer not null,
      last_sync_ms integer, added_ms integer not null) strict, without rowid`,
    `create index link_a on link (a)`,
    `create index link_b on link (b)`,

    // facts: JSON of the small facts that the activity list shows.
    `create table event (
      id integer primary key, at_ms integer not null, kind text not null, ref text, name text, facts text not null) strict`,

    // For charts: one row per replica and minute.
    `create table sample (
      ref text not null, minute integer not null, head integer not null, lag integer not null, held integer not null,
      blocked integer not null, size_bytes integer not null, primary key (ref, minute)) strict, without rowid`,

    // sha256: of the whole token, hex. sites: JSON list of site IDs, null for all.
    `create table token (
      id text primary key, name text not null, sha256 text not null, role text not null check (role in ('sync', 'read', 'operate')),
      sites text, created_ms integer not null, expires_ms integer, withdrawn_ms integer) strict, without rowid`,

    `create table setting (key text primary key, value text not null) strict, without rowid`,
  ],
];
