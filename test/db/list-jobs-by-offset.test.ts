import type { JobFilter } from '../../src/db/jobs/job-filter.ts';
import { listJobsByOffset } from '../../src/db/jobs/list-jobs-by-offset.ts';
import { databaseForTests } from '../support/database-for-tests.ts';

// One connection prepares every statement, and refuses two of one name.
const { database } = await databaseForTests({ poolSize: 1, stallTimeoutMs: 5_000 });

const filter: JobFilter = {
  team_id: 'team',
  organization_id: 'organization',
  status: 'completed',
  job_type: 'report',
  user_id: 'user',
  external_task_id: 'task',
  created_from: new Date(0),
  created_before: new Date(1),
};

const subsets = Object.entries(filter).reduce<JobFilter[]>(
  (all, [name, value]) => all.flatMap((one) => [one, { ...one, [name]: value }]),
  [{}],
);

test.each(['asc', 'desc'] as const)(
  'every combination of filters in ascending or descending order (%s) is a valid statement of its own',
  async (order) => {
    for (const subset of subsets) {
      const page = { sort_by: 'completed_at', order, limit: 10, offset: 0 } as const;
      expect(await listJobsByOffset(database, subset, page)).toEqual({ total: 0, rows: [], next: null });
    }
  },
);
