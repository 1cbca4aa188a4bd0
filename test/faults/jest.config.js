import base from '../../jest.config.js';

/** `npm run test:faults`: one after the other, the full form. The seed is printed; `-- --seed=<it>` replays. */
export default {
  ...base,
  rootDir: '../..',
  testMatch: [
    '<rootDir>/test/faults/*.{test,long}.ts',
    // Scenarios of lost workflows, killed workers and races that have a short form too.
    '<rootDir>/test/scenarios/{lost-workflows,racing-commands,resumed-jobs}.test.ts',
  ],
  globalSetup: '<rootDir>/test/faults/global-setup.ts',
  globalTeardown: '<rootDir>/test/faults/global-teardown.ts',
  maxWorkers: 1,
  showSeed: true,
};
