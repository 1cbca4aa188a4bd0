import base from '../../jest.config.js';

/** `npm run test:generators`: apart from the others, because it installs linters and generators: some 400 MB. */
export default {
  ...base,
  rootDir: '../..',
  testMatch: ['<rootDir>/test/generators/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  testTimeout: 600_000,
  maxWorkers: 1,
};
