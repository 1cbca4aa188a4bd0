import base from '../../jest.config.js';

/** `npm run test:faults`: one after the other, the full form. The seed is printed; `-- --seed=<it>` replays. */
export default {
  ...base,
  rootDir: '../..',
  testMatch: [
    '<rootDir>/test/faults/*.{test,long}.ts',
    // Other tests that have a short form.
    '<rootDir>/test/scenarios/{list-totals,lost-workflows,racing-commands}.test.ts',
    '<rootDir>/test/http/models/read-whole.test.ts',
  ],
  testPathIgnorePatterns: ['/node_modules/'],
  globalSetup: '<rootDir>/test/faults/global-setup.ts',
  globalTeardown: '<rootDir>/test/faults/global-teardown.ts',
  maxWorkers: 1,
  showSeed: true,
};
