import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

const PAGE = 'tests/renderer/**/*.test.{ts,tsx}';

export default defineConfig({
  plugins: [react()],
  test: {
    pool: 'forks',
    maxWorkers: 2,
    restoreMocks: true,
    // A bound on endless loops, not a measure: machines that test are often busy.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    coverage: {
      provider: 'v8',
      include: ['src/**/*.{ts,tsx}'],
      reporter: ['text-summary', 'html'],
    },
    projects: [
      {
        extends: true,
        test: {
          name: 'host',
          include: ['tests/**/*.test.{ts,tsx}'],
          exclude: [PAGE],
          setupFiles: ['tests/support/property-seed.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'page',
          include: [PAGE],
          environment: 'happy-dom',
          setupFiles: ['tests/support/page-setup.ts', 'tests/support/property-seed.ts'],
        },
      },
    ],
  },
});
