import fc from 'fast-check';

// Every run tells the same random cases, so that a red run is of the change that it stands for, and told again by anybody.
// `PROPERTY_SEED=7 npx vitest run tests/…` tells others; what they find becomes a test of its own.
const SEED = 20_261_201;

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env['PROPERTY_SEED'] ?? SEED) });
