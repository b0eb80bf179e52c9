import type { Seal } from './secrets-file.ts';

/** What Electron offers of the system's keychain. */
export interface Keychain {
  readonly isEncryptionAvailable: () => boolean;
  readonly encryptString: (text: string) => Buffer;
  readonly decryptString: (sealed: Buffer) => string;
}

const PLAIN = 'plain:';
const SEALED = 'sealed:';

/** Seals with the system's keychain; where it has none, the file's owner-only rights are what guards a secret. */
export function createKeychainSeal(keychain: Keychain): Seal {
  return {
    close: (secret) =>
      keychain.isEncryptionAvailable()
        ? `${SEALED}${keychain.encryptString(secret).toString('base64')}`
        : `${PLAIN}${secret}`,
    open: (sealed) => {
      if (sealed.startsWith(PLAIN)) return sealed.slice(PLAIN.length);
      if (!sealed.startsWith(SEALED)) return null;
      try {
        return keychain.decryptString(Buffer.from(sealed.slice(SEALED.length), 'base64'));
      } catch {
        // Sealed by another user or on another machine: the person enters it again.
        return null;
      }
    },
  };
}
