import base from '../../jest.config.js';

/** `npm run test:fuzz`: apart from the others, because it takes minutes and installs Python packages. */
export default {
  ...base,
  rootDir: '../..',
  testMatch: ['<rootDir>/test/fuzz/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  globalSetup: '<rootDir>/test/fuzz/global-setup.ts',
  maxWorkers: 1,
};
