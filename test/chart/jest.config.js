import base from '../../jest.config.js';

/** `npm run test:chart`: apart from the others, because it builds helm, kubeconform and the API server of Kubernetes from their Go modules, once. */
export default {
  ...base,
  rootDir: '../..',
  testMatch: ['<rootDir>/test/chart/*.long.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  globalSetup: undefined,
  globalTeardown: undefined,
  maxWorkers: 1,
};
