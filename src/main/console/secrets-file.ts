import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';

import { z } from 'zod';

/** Secrets that this console needs again: tokens for remote hosts and peers. */
export interface Secrets {
  /** Null when there is none, or when it can no longer be opened (another user, another machine). */
  readonly get: (name: string) => string | null;
  readonly set: (name: string, secret: string) => void;
  readonly remove: (name: string) => void;
}

/** Seals secrets with what the system offers; without one the file's rights are all that guards them. */
export interface Seal {
  readonly close: (secret: string) => string;
  /** Null when it was sealed with another key. */
  readonly open: (sealed: string) => string | null;
}

const OWNER_ONLY = 0o600;

const SecretsFile = z.record(z.string(), z.string());

/** Without a keychain: kept as they are, in a file that only its owner may read. */
export const noSeal: Seal = { close: (secret) => secret, open: (sealed) => sealed };

/**
 * Keeps secrets in a file with owner-only rights, replaced as a whole at each change.
 *
 * A file that cannot be read is an error at the first use (thrown): writing over it would lose what is in it.
 */
export function createSecretsFile(path: string, seal: Seal): Secrets {
  return {
    get: (name) => {
      const sealed = read()[name];
      return sealed === undefined ? null : seal.open(sealed);
    },
    set: (name, secret) => write({ ...read(), [name]: seal.close(secret) }),
    remove: (name) => {
      const { [name]: gone, ...rest } = read();
      if (gone !== undefined) write(rest);
    },
  };

  function read(): Readonly<Record<string, string>> {
    let text: string;
    try {
      text = readFileSync(path, 'utf8');
    } catch (cause) {
      if (isMissing(cause)) return {};
      throw cause;
    }
    return SecretsFile.parse(JSON.parse(text));
  }

  function write(secrets: Readonly<Record<string, string>>): void {
    const fresh = `${path}.new`;
    rmSync(fresh, { force: true });
    writeFileSync(fresh, JSON.stringify(secrets), { mode: OWNER_ONLY, flag: 'wx' });
    renameSync(fresh, path);
  }
}

function isMissing(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
}
