import base from '../../jest.config.js';

/** `npm run test:security`: one after the other, the full form, with the proofs that need minutes or a quiet machine. */
export default {
  ...base,
  rootDir: '../..',
  testMatch: ['<rootDir>/test/security/*.{test,long}.ts'],
  globalSetup: '<rootDir>/test/faults/global-setup.ts',
  globalTeardown: '<rootDir>/test/faults/global-teardown.ts',
  testTimeout: 300_000,
  maxWorkers: 1,
};
