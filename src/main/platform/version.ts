import packageJson from '../../../package.json' with { type: 'json' };

/** Of this Concord. */
export const VERSION: string = packageJson.version;
