import { createRefillSteps } from '../../activities/maintenance/refill-teams.ts';
import type { ActivityDeps } from '../../activities/ports.ts';
import { dayMs } from '../../src/domain/time/buckets.ts';
import { createLog } from '../../src/log.ts';
import { databaseForTests } from '../support/database-for-tests.ts';

const RealDate = Date;

/** Dates of a process whose clock is a day ahead. */
const AheadDate = new Proxy(RealDate, {
  construct: (real, given) => (given.length > 0 ? Reflect.construct(real, given) : new real(real.now() + dayMs)),
});

const { database } = await databaseForTests();
const changes: Pick<ActivityDeps['changes'], 'publish'> = { publish: () => undefined };
const { refillTeams } = createRefillSteps({ database, changes, log: createLog('silent', 'test') } as ActivityDeps);

test('a worker whose clock is a day ahead makes no refill early', async () => {
  await database.pool.query(`
    insert into organizations (organization_id, name) values ('acme', 'Acme');
    insert into teams (team_id, organization_id, proxy_team_id) values ('acme', 'acme', 'acme');
    insert into credit_accounts (team_id, organization_id, credit_limit, auto_refill, refill_amount, refill_period,
                                 refill_anchor_at, next_refill_at)
    values ('acme', 'acme', 0, true, 10, 'daily', now() - interval '12 hours', now() + interval '12 hours')`);
  globalThis.Date = AheadDate;

  const refills = await refillTeams().finally(() => {
    globalThis.Date = RealDate;
  });

  const { rows } = await database.pool.query('select credits_allocated from credit_accounts');
  expect({ refills, rows }).toEqual({ refills: 0, rows: [{ credits_allocated: 0 }] });
});
