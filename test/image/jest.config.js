import base from '../../jest.config.js';

/** `npm run test:image`: apart from the others, because it needs buildah and podman, and installs the packages again. */
export default {
  ...base,
  rootDir: '../..',
  testMatch: ['<rootDir>/test/image/*.long.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  maxWorkers: 1,
};
