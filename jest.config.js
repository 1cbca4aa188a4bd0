/**
 * The faults kill processes and freeze services, which takes a fifth of the whole. They run in CI, and where a file of theirs is named.
 */
const withFaults = process.env.CI || process.argv.some((argument) => argument.includes('test/faults'));

/** Node.js loads the test files, as it loads the product: test/support/run-natively.ts. */
export default {
  testEnvironment: 'node',
  // What is watched by `npm run test:watch`; not the data folder, which changes all the time.
  roots: [
    'src',
    'workflows',
    'activities',
    'migrations',
    'tools',
    'scripts',
    'bench',
    'console/src',
    'console/build',
    'test',
  ].map((folder) => `<rootDir>/${folder}`),
  testRunner: '<rootDir>/test/support/run-natively.ts',
  transform: {},
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  testPathIgnorePatterns: [
    '/node_modules/',
    '<rootDir>/test/litellm/',
    '<rootDir>/test/fuzz/',
    '<rootDir>/test/clients/',
    '<rootDir>/test/generators/',
    '<rootDir>/test/console/full/',
    ...(withFaults ? [] : ['<rootDir>/test/faults/']),
  ],
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  testSequencer: '<rootDir>/test/support/spread-long-files.ts',
  testTimeout: 60_000,
  // For two cores: most of a test is waiting. CI may have less of its cores, and there a slow machine must not fail a test.
  maxWorkers: process.env.CI ? 4 : 6,
  // What is random in a test is random by this, and a run can be repeated with `-- --seed=…`.
  showSeed: true,
};
