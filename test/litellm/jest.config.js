import base from '../../jest.config.js';

/** `npm run test:litellm`: apart from the others, because it installs 700 MB of Python. */
export default {
  ...base,
  rootDir: '../..',
  testMatch: ['<rootDir>/test/litellm/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  globalSetup: '<rootDir>/test/litellm/global-setup.ts',
  maxWorkers: 1,
};
