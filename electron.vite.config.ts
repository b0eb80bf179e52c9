import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

// Workers are inputs of their own and all files lie flat in out/main, so that
// `new URL('./writer-worker.js', import.meta.url)` is right in every entry, in a chunk that two entries share,
// and inside the packed archive.
const mainInputs = Object.fromEntries(
  Object.entries({
    index: at('src/main/index.ts'),
    headless: at('src/main/headless.ts'),
    cli: at('src/main/cli/index.ts'),
    'writer-worker': at('src/main/worker/writer-worker.ts'),
    'reader-worker': at('src/main/worker/reader-worker.ts'),
    'example-worker': at('src/main/worker/example-worker.ts'),
    'sql-process': at('src/main/worker/sql-process.ts'),
    'scenario-host': at('src/main/scenario/scenario-host.ts'),
  }).filter(([, path]) => existsSync(path)),
);

const main = {
  build: { rollupOptions: { input: mainInputs, output: { chunkFileNames: '[name]-[hash].js' } } },
};

const preload = {
  build: {
    // A sandboxed preload can neither be ESM nor require packages: one CommonJS file with all in it.
    externalizeDeps: false,
    rollupOptions: {
      input: { index: at('src/preload/index.ts') },
      output: { format: 'cjs' as const, entryFileNames: '[name].cjs' },
    },
  },
};

const renderer = {
  plugins: [react()],
  build: {
    // electron-vite leaves the renderer unminified unless told.
    minify: true,
    // Monaco is one large chunk of its own, loaded when a definition is shown.
    chunkSizeWarningLimit: 4_000,
    rollupOptions: { input: at('src/renderer/index.html') },
  },
};

export default defineConfig({
  ...(Object.keys(mainInputs).length > 0 && { main }),
  ...(existsSync(at('src/preload/index.ts')) && { preload }),
  ...(existsSync(at('src/renderer/index.html')) && { renderer }),
});
