import base from '../../jest.config.js';

/** `npm run test:clients`: apart from the others, because it installs the clients: some 400 MB. */
export default {
  ...base,
  rootDir: '../..',
  testMatch: ['<rootDir>/test/clients/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  globalSetup: '<rootDir>/test/clients/global-setup.ts',
  testTimeout: 120_000,
  maxWorkers: 1,
};
