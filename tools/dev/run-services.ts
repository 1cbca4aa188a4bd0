import { printLine } from './print.ts';
import { runUntilEnded } from './run-until-ended.ts';
import { startServicesForDevelopment } from './services-for-development.ts';

/** `npm run services`: PostgreSQL, Redis and Temporal for `npm test` and `npm run dev`, until Ctrl-C. */
await runUntilEnded(async (supervisors) => {
  const { databaseUrl, redisUrl, temporal } = await startServicesForDevelopment(supervisors);
  printLine(
    [
      '',
      `  DATABASE_URL      ${databaseUrl}`,
      `  REDIS_URL         ${redisUrl}`,
      `  TEMPORAL_ADDRESS  ${temporal.address}`,
      `  Temporal UI       ${temporal.uiUrl ?? 'with the Temporal that TEMPORAL_ADDRESS names'}`,
      '',
      '"npm test" and "npm run dev" use them while they run. Ctrl-C ends them.',
    ].join('\n'),
  );
});
