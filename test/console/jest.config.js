import base from '../../jest.config.js';

/** `npm run test:console`: the whole console in a real Chromium. The smoke run is also part of `npm test`. */
export default {
  ...base,
  rootDir: '../..',
  testMatch: ['<rootDir>/test/console/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  maxWorkers: 1,
};
