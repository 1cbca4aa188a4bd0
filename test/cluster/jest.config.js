import base from '../../jest.config.js';

/**
 * `npm run test:cluster`: the scenarios and the short form of the faults on a Temporal cluster, and what only a cluster can do. One after the
 * other, in this process, which has the cluster. It takes half an hour, and a quarter more where the server has to be built first.
 */
export default {
  ...base,
  rootDir: '../..',
  testMatch: [
    '<rootDir>/test/cluster/*.long.ts',
    '<rootDir>/test/scenarios/*.test.ts',
    '<rootDir>/test/faults/*.test.ts',
  ],
  testPathIgnorePatterns: ['/node_modules/'],
  globalSetup: '<rootDir>/test/cluster/global-setup.ts',
  globalTeardown: '<rootDir>/test/cluster/global-teardown.ts',
  maxWorkers: 1,
  testTimeout: 120_000,
};
