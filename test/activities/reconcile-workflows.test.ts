import { asyncLocalStorage, type Context } from '@temporalio/activity';
import { createReconciliationSteps } from '../../activities/maintenance/reconcile-workflows.ts';
import type { ActivityDeps } from '../../activities/ports.ts';
import { Unavailable } from '../../src/errors.ts';
import { createLog } from '../../src/log.ts';
import { databaseForTests } from '../support/database-for-tests.ts';

const { database } = await databaseForTests();

beforeAll(async () => {
  await database.pool.query(`
    insert into organizations (organization_id, name) values ('acme', 'Acme');
    insert into teams (team_id, organization_id, proxy_team_id) values ('acme', 'acme', 'acme');
    insert into jobs (job_id, team_id, organization_id, job_type, created_at)
    select gen_random_uuid(), 'acme', 'acme', 'report', now() - interval '1 day' + n * interval '1 ms'
      from generate_series(1, 12500) n`);
});
beforeEach(() => database.pool.query('delete from sweep_cursors'));

/** A round over the open jobs. `runs`: whether their workflows run. */
async function round(runs: boolean, resume: (id: string) => Promise<boolean> = async () => true) {
  const compared: string[] = [];
  const resumed: string[] = [];
  const deps = {
    database,
    log: createLog('silent', 'test'),
    workflows: {
      async listRunning(ids: readonly string[]) {
        compared.push(...ids);
        return new Set(runs ? ids : []);
      },
    },
    jobs: {
      async resume(id: string) {
        resumed.push(id);
        return resume(id);
      },
    },
  };
  const { reconcileJobs } = createReconciliationSteps(deps as unknown as ActivityDeps);
  const context = { heartbeat: () => undefined } as unknown as Context;
  const lost = await asyncLocalStorage.run(context, reconcileJobs);
  return { compared: new Set(compared), resumed, lost };
}

test('rounds compare all open jobs in turns, ten thousand in each, and begin again', async () => {
  const first = await round(true);
  const second = await round(true);
  const third = await round(true);

  expect(first.compared.size).toBe(10_000);
  expect(second.compared.size).toBeGreaterThanOrEqual(2_500);
  expect(new Set([...first.compared, ...second.compared]).size).toBe(12_500);
  expect(third.compared).toEqual(first.compared);
});

test('a round resumes a thousand lost jobs, and the next round continues with others', async () => {
  const first = await round(false);
  const second = await round(false);

  expect([first.lost, second.lost]).toEqual([1_000, 1_000]);
  expect(new Set([...first.resumed, ...second.resumed]).size).toBeGreaterThanOrEqual(1_999);
});

test('a job that cannot be resumed does not hold up the others', async () => {
  const { lost } = await round(false, async () => {
    throw new Error('not this one');
  });

  expect(lost).toBe(1_000);
});

test('a comparison during an outage rejects as unavailable, and does not move its cursor', async () => {
  const outage = round(false, async () => {
    throw new Unavailable('temporal');
  });

  await expect(outage).rejects.toThrow(Unavailable);
  expect((await database.pool.query('select 1 from sweep_cursors')).rows).toEqual([]);
});
