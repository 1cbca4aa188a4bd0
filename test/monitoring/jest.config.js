import base from '../../jest.config.js';

/** `npm run test:monitoring`: apart from the others, because it needs Prometheus and its promtool. */
export default {
  ...base,
  rootDir: '../..',
  testMatch: ['<rootDir>/test/monitoring/*.long.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  maxWorkers: 1,
};
