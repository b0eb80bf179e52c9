// Which room may look into which. Every comment says how to mend the violation.
// Each rule is shown to fire in tests/architecture/dependency-rules.test.ts.

const ENTRIES =
  '^src/main/(index|headless|cli/index|worker/(writer-worker|reader-worker|example-worker|sql-process)|scenario/scenario-host)[.]ts$';
const ELECTRON_DOORS = '^src/(main/(index|open-window|rpc/serve-ipc)|preload/.+)[.]ts$';
const WS_DOORS = '^src/main/(peers/|rpc/(serve|connect)-web-socket[.]ts$|headless[.]ts$|cli/)';
const SQLITE_DOORS = '^src/main/(store/|worker/sql-process[.]ts$)';

const ELECTRON = '(^|/)node_modules/electron/|^electron$';
const ZOD = '(^|/)node_modules/zod/';

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      comment:
        'Two modules need each other at run time: move what both need into a third. Type-only cycles pass.',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'shared-is-a-leaf',
      comment:
        'src/shared is spoken by every world: it imports zod and itself. Move the thing, or pass it in.',
      severity: 'error',
      from: { path: '^src/shared/' },
      to: { couldNotResolve: false, pathNot: ['^src/shared/', ZOD] },
    },
    {
      name: 'engine-is-pure',
      comment: 'The engine thinks and touches nothing: let the world in through engine/ports.ts.',
      severity: 'error',
      from: { path: '^src/main/engine/' },
      to: { couldNotResolve: false, pathNot: ['^src/main/engine/', '^src/main/sql/', '^src/shared/', ZOD] },
    },
    {
      name: 'sql-is-pure',
      comment: 'src/main/sql reads and writes text only: what needs a database belongs in src/main/store.',
      severity: 'error',
      from: { path: '^src/main/sql/' },
      to: { couldNotResolve: false, pathNot: ['^src/main/sql/', '^src/shared/'] },
    },
    {
      name: 'replica-is-a-shell',
      comment: 'The replica joins engine, sql and store: anything else comes in as a port of its options.',
      severity: 'error',
      from: { path: '^src/main/replica/' },
      to: {
        couldNotResolve: false,
        pathNot: ['^src/main/(replica|engine|sql|store)/', '^src/shared/', ZOD],
        dependencyTypesNot: ['core'],
      },
    },
    {
      name: 'store-looks-down',
      comment: 'The store serves the engine: it knows engine, sql and shared, and no room above it.',
      severity: 'error',
      from: { path: '^src/main/store/' },
      to: { path: '^src/', pathNot: ['^src/main/(store|engine|sql)/', '^src/shared/'] },
    },
    {
      name: 'rooms-look-down',
      comment:
        'Peers, console and services know nothing of pipes, workers, hosts and the command line above them.',
      severity: 'error',
      from: { path: '^src/main/(peers|console|services)/' },
      to: { path: '^src/main/(rpc/serve-|cli/|[^/]+[.]ts$)' },
    },
    {
      name: 'entries-are-not-imported',
      comment: 'An entry wires and starts: move what you need out of it into a module.',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: ENTRIES },
    },
    {
      name: 'electron-has-three-doors',
      comment:
        'Only index.ts, open-window.ts, rpc/serve-ipc.ts and the preload import Electron: hand it in from there.',
      severity: 'error',
      from: { path: '^(src|scripts|tests|bench)/', pathNot: ELECTRON_DOORS },
      to: { path: ELECTRON, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'headless-never-meets-electron',
      comment: 'Plain Node has no Electron: cut the path that leads there.',
      severity: 'error',
      from: { path: '^src/main/(headless[.]ts$|cli/|worker/)' },
      to: { path: [ELECTRON, '^src/main/(index|open-window|rpc/serve-ipc)[.]ts$'], reachable: true },
    },
    {
      name: 'sqlite-stays-in-store',
      comment: 'Only src/main/store and the SQL process open databases: call the store.',
      severity: 'error',
      from: { path: '^src/', pathNot: SQLITE_DOORS },
      to: { path: '(^|/)node_modules/better-sqlite3/|^better-sqlite3$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'sockets-have-their-doors',
      comment:
        'Only peers, the two rpc/*-web-socket.ts, headless.ts and the command line import ws: use a link.',
      severity: 'error',
      from: { path: '^src/', pathNot: WS_DOORS },
      to: { path: '(^|/)node_modules/(@types/)?ws/' },
    },
    {
      name: 'renderer-talks-through-the-contract',
      comment: 'The renderer runs in a browser: ask the host through the contract in src/shared/api.',
      severity: 'error',
      from: { path: '^src/renderer/' },
      to: { path: ['^src/(main|preload)/', ELECTRON] },
    },
    {
      name: 'renderer-has-no-node',
      comment: 'The renderer runs in a browser: what needs Node belongs in src/main.',
      severity: 'error',
      from: { path: '^src/(renderer|shared)/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'host-never-imports-the-renderer',
      comment: 'The host serves any page: shared words belong in src/shared.',
      severity: 'error',
      from: { path: '^src/(main|preload)/' },
      to: { path: '^src/renderer/' },
    },
    {
      name: 'preload-is-a-pipe',
      comment: 'The preload passes messages on: it knows Electron and src/shared/api, nothing more.',
      severity: 'error',
      from: { path: '^src/preload/' },
      to: { couldNotResolve: false, pathNot: ['^src/preload/', '^src/shared/api/', ELECTRON] },
    },
    {
      name: 'features-do-not-know-each-other',
      comment: 'A feature stands alone: what two features need moves to renderer/ui or renderer/api.',
      severity: 'error',
      from: { path: '^src/renderer/features/([^/]+)/' },
      to: { path: '^src/renderer/features/', pathNot: '^src/renderer/features/$1/' },
    },
    {
      name: 'renderer-rooms-look-down',
      comment: 'In the renderer app knows features, features know ui and api, and never the other way round.',
      severity: 'error',
      from: { path: '^src/renderer/(ui|api|features)/' },
      to: { path: '^src/renderer/(app/|main[.]tsx$)' },
    },
    {
      name: 'ui-knows-no-feature',
      comment: 'ui and api serve every feature: pass the special part in as props or arguments.',
      severity: 'error',
      from: { path: '^src/renderer/(ui|api)/' },
      to: { path: '^src/renderer/features/' },
    },
    {
      name: 'no-production-to-test',
      comment: 'What ships never imports tests: move the shared part into src.',
      severity: 'error',
      from: { path: '^(src|scripts)/' },
      to: { path: '^(tests|bench)/' },
    },
    {
      name: 'tests-share-through-support',
      comment: 'A test never imports another test: move what both need into tests/support.',
      severity: 'error',
      from: { path: '^tests/' },
      to: { path: '[.](test|spec)[.]tsx?$' },
    },
    {
      name: 'no-orphans',
      comment: 'Nothing imports this module and it is no entry: use it or remove it.',
      severity: 'error',
      from: { orphan: true, path: '^src/', pathNot: [ENTRIES, '[.]d[.]ts$'] },
      to: {},
    },
    {
      name: 'no-unresolved',
      comment: 'This import leads nowhere: mend the path or install the package.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'no-dev-packages-in-the-host',
      comment:
        'The packed application has no devDependencies: make it a dependency and say why in docs/dependencies.md.',
      severity: 'error',
      from: { path: '^src/(main|shared)/' },
      to: {
        dependencyTypes: ['npm-dev'],
        dependencyTypesNot: ['type-only'],
        pathNot: [ELECTRON, '/@types/'],
      },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '[.](css|svg|png)$|^vite/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.mjs', '.cjs', '.js', '.json', '.d.ts'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
