import { randomUUID } from 'node:crypto';
import { openDatabase } from '../../src/db/connection/database.ts';
import { insertJob } from '../../src/db/jobs/insert-job.ts';
import { endAsRecorded, settleJob } from '../../src/db/jobs/settle-job.ts';
import { cloneDatabase } from '../support/database.ts';

/** Where it is another day than in UTC now. */
const zone = new Date().getUTCHours() < 12 ? 'Etc/GMT%2B12' : 'Etc/GMT-14';

test('usage and credits are summed by UTC days when the server has another time zone', async () => {
  const { url, drop } = await cloneDatabase();
  const settings = { url: `${url}?options=-c%20timezone%3D${zone}`, poolSize: 1, stallTimeoutMs: 10_000 };
  const database = await openDatabase(settings);
  const id = randomUUID();
  await database.pool.query('insert into organizations (organization_id, name) values ($1, $1)', [id]);
  await database.pool.query('insert into teams (team_id, organization_id, proxy_team_id) values ($1, $1, $1)', [id]);
  await database.pool.query('insert into credit_accounts (team_id, organization_id) values ($1, $1)', [id]);
  const facts = { user_id: null, job_type: 'report', external_task_id: null, metadata: {}, key_id: null };
  await insertJob(database, { job_id: id, team_id: id, organization_id: id, ...facts });

  await settleJob(database, { ...endAsRecorded(id, 'completed', null), credits: 1 });

  const { rows } = await database.pool.query(
    `select u.day = (j.created_at at time zone 'utc')::date as usage, c.day = (t.created_at at time zone 'utc')::date as credits,
            j.created_at::date = (j.created_at at time zone 'utc')::date as same_day_here
       from jobs j join daily_usage u using (team_id) join daily_credits c using (team_id)
       join credit_transactions t using (team_id)`,
  );
  await database.close();
  await drop();
  expect(rows).toEqual([{ usage: true, credits: true, same_day_here: false }]);
});
