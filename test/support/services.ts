/** The addresses of the run's PostgreSQL, Redis and Temporal. Set once by global-setup.ts and inherited by every test process. */
export const services = {
  /** A database of the server in which databases may be created and dropped. */
  get adminDatabaseUrl() {
    return setting('TEST_ADMIN_DATABASE_URL');
  },
  /** The database is migrated and empty. Nobody connects to it: `cloneDatabase` copies it. */
  get templateDatabase() {
    return setting('TEST_TEMPLATE_DATABASE');
  },
  get redisUrl() {
    return setting('TEST_REDIS_URL');
  },
  get temporalAddress() {
    return setting('TEST_TEMPORAL_ADDRESS');
  },
  get temporalNamespace() {
    return setting('TEST_TEMPORAL_NAMESPACE');
  },
  /** The workflows, bundled once: `Worker.create({ workflowBundle: { codePath } })`. */
  get workflowBundlePath() {
    return setting('TEST_WORKFLOW_BUNDLE');
  },
};

function setting(name: string): string {
  const value = process.env[name];
  if (value) return value;
  throw new Error(
    `${name} is not set: global-setup.ts has printed why, or this test is in a folder of its list pureFolders.`,
  );
}
