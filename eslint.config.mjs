// The judge of style. Where a rule is ours, its message says which port or file to use instead.
import jsdoc from 'eslint-plugin-jsdoc';
import reactHooks from 'eslint-plugin-react-hooks';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

const TYPESCRIPT = ['**/*.{ts,tsx}'];
const HOST = ['src/main/**/*.ts', 'src/shared/**/*.ts'];
const ENTRIES = [
  'src/main/index.ts',
  'src/main/headless.ts',
  'src/main/cli/index.ts',
  'src/main/worker/{writer-worker,reader-worker,example-worker,sql-process}.ts',
  'src/main/scenario/scenario-host.ts',
];
const PLATFORM = ['src/main/platform/**/*.ts'];
const CONFIGS = ['*.config.{ts,mjs}', '.dependency-cruiser.cjs'];
const BRIDGE_USERS = ['src/renderer/main.tsx', 'src/renderer/api/ipc-link.ts'];

const CLOCK =
  'Take the time from the Clock port (engine/ports.ts); only platform/ and entries read the wall clock.';
const RANDOM = 'Take randomness from the Random port (engine/ports.ts); only platform/ and entries draw it.';
const TIMERS =
  'Only platform/ and entries own timers: offer a pass that a host may call, or take a Timers port.';
const PROCESS = 'Only platform/ and entries read process: take what you need as an argument.';

const sizes = {
  'max-lines': ['error', { max: 400, skipBlankLines: true, skipComments: true }],
  'max-lines-per-function': ['error', { max: 70, skipBlankLines: true, skipComments: true }],
  'max-params': ['error', 3],
  complexity: ['error', 10],
};

const forbiddenSyntax = [
  {
    selector: 'ExportDefaultDeclaration',
    message: 'Export by name: a name can be searched for and means the same everywhere.',
  },
  { selector: 'TSEnumDeclaration', message: 'Use a union of string literals instead of an enum.' },
  {
    selector: 'ClassDeclaration:not([superClass]), ClassExpression',
    message: 'Use functions and factory closures; classes are for errors and for the error boundary.',
  },
  {
    selector: 'ExportAllDeclaration',
    message: 'No barrels: import the file that has the thing.',
  },
];

const ambientSyntax = [
  { selector: "NewExpression[callee.name='Date'][arguments.length=0]", message: CLOCK },
  { selector: "CallExpression[callee.name='Date']", message: CLOCK },
];

const ambientProperties = [
  { object: 'Date', property: 'now', message: CLOCK },
  { object: 'performance', property: 'now', message: CLOCK },
  { object: 'Math', property: 'random', message: RANDOM },
  { object: 'globalThis', property: 'crypto', message: RANDOM },
];

const ambientGlobals = [
  { name: 'process', message: PROCESS },
  { name: 'crypto', message: RANDOM },
  { name: 'performance', message: CLOCK },
  ...['setTimeout', 'setInterval', 'setImmediate'].map((name) => ({ name, message: TIMERS })),
];

const ambientModules = [
  ...['node:process', 'process'].map((name) => ({ name, message: PROCESS })),
  ...['node:timers', 'node:timers/promises', 'timers'].map((name) => ({ name, message: TIMERS })),
  ...['node:perf_hooks', 'perf_hooks'].map((name) => ({ name, message: CLOCK })),
  {
    name: 'node:crypto',
    importNames: ['randomBytes', 'randomUUID', 'randomInt', 'randomFillSync', 'randomFill', 'webcrypto'],
    message: RANDOM,
  },
];

const bridge = ['window', 'globalThis'].map((object) => ({
  object,
  property: 'consoleBridge',
  message: 'The link is chosen once: only main.tsx and api/ipc-link.ts know the bridge. Ask the API context.',
}));

/** Type-aware rules, beyond the presets, that hold in every world. */
const typed = {
  '@typescript-eslint/consistent-type-definitions': ['error', 'interface'],
  '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'separate-type-imports' }],
  '@typescript-eslint/no-import-type-side-effects': 'error',
  '@typescript-eslint/switch-exhaustiveness-check': [
    'error',
    { considerDefaultExhaustiveForUnions: true, requireDefaultForNonUnion: true },
  ],
  '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
  '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
  '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
  // `undefined` is a fine thing to hand back from `ok()`; `void` as a type argument says "no value".
  '@typescript-eslint/no-invalid-void-type': ['error', { allowInGenericTypeArguments: true }],
};

const docstrings = {
  'jsdoc/no-types': 'error',
  'jsdoc/informative-docs': 'error',
  'jsdoc/no-restricted-syntax': [
    'error',
    {
      contexts: [
        {
          comment: 'JsdocBlock:has(JsdocTag[tag=/^(param|arg|returns?|throws|type)$/])',
          context: 'any',
          message: 'Say guarantees, units and errors in sentences; names and types are in the signature.',
        },
      ],
    },
  ],
};

export default defineConfig(
  globalIgnores(['node_modules', 'out', 'dist', 'coverage', 'test-results', 'playwright-report']),
  {
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: { eqeqeq: 'error', 'no-var': 'error', 'prefer-const': 'error', 'object-shorthand': 'error' },
  },
  {
    files: TYPESCRIPT,
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    plugins: { jsdoc },
    rules: {
      ...sizes,
      ...typed,
      ...docstrings,
      'no-console': 'error',
      'no-restricted-syntax': ['error', ...forbiddenSyntax],
    },
  },
  {
    files: HOST,
    ignores: [...ENTRIES, ...PLATFORM],
    rules: {
      'no-restricted-syntax': ['error', ...forbiddenSyntax, ...ambientSyntax],
      'no-restricted-properties': ['error', ...ambientProperties],
      'no-restricted-globals': ['error', ...ambientGlobals],
      'no-restricted-imports': ['error', { paths: ambientModules }],
    },
  },
  {
    files: ['src/main/{engine,store,replica,peers,rpc}/**/*.ts'],
    rules: {
      'jsdoc/require-jsdoc': [
        'error',
        {
          publicOnly: true,
          enableFixer: false,
          require: { FunctionDeclaration: true, ArrowFunctionExpression: true },
        },
      ],
    },
  },
  {
    files: ['src/renderer/**/*.{ts,tsx}'],
    ...reactHooks.configs.flat['recommended-latest'],
  },
  {
    files: ['src/renderer/**/*.{ts,tsx}'],
    ignores: BRIDGE_USERS,
    rules: { 'no-restricted-properties': ['error', ...bridge] },
  },
  {
    files: ['src/renderer/ui/error-boundary.tsx', 'src/renderer/app/error-boundary.tsx'],
    rules: { '@typescript-eslint/class-methods-use-this': 'off' },
  },
  {
    // A table of cases is one long function, and a stub of an asynchronous port has nothing to wait for.
    files: ['tests/**/*.{ts,tsx}'],
    rules: { 'max-lines-per-function': 'off', '@typescript-eslint/require-await': 'off' },
  },
  {
    files: ['scripts/**/*.{ts,mjs}', 'bench/**/*.ts', 'src/main/cli/**/*.ts'],
    rules: { 'no-console': 'off' },
  },
  {
    files: CONFIGS,
    rules: { 'no-restricted-syntax': 'off' },
  },
);
