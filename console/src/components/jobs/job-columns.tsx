import { Link } from '@tanstack/react-router';
import type { Job } from '../../api/types.ts';
import type { RangeSearch } from '../../url/time-range.ts';
import { Count } from '../ui/count.tsx';
import { shortId } from '../ui/id.tsx';
import { Missing, Money } from '../ui/money.tsx';
import { Status } from '../ui/status.tsx';
import type { Column } from '../ui/table/column.ts';
import { Age, Duration, Time } from '../ui/time.tsx';
import styles from './job-columns.module.css';
import type { JobListSearch } from './job-search.ts';

/**
 * The columns of a list of jobs. A reader who sees more than one team has a column for it, and one who sees costs another. Previous and
 * next of a receipt that is opened from the list go through `list`.
 */
export const jobColumns = (
  { seesTeams, seesCost }: { seesTeams: boolean; seesCost: boolean },
  list: JobListSearch & RangeSearch = {},
): Column<Job>[] => [
  { id: 'status', header: 'Status', width: 124, isAlways: true, cell: ({ status }) => <Status of={status} /> },
  {
    id: 'job',
    header: 'Job',
    width: 104,
    isAlways: true,
    cell: ({ job_id }) => (
      <Link to="/jobs/$jobId" params={{ jobId: job_id }} search={list} className="mono" title={job_id}>
        {shortId(job_id)}
      </Link>
    ),
  },
  ...(seesTeams
    ? [
        {
          id: 'team',
          header: 'Team',
          width: 150,
          from: 720 as const,
          cell: ({ team_id }: Job) => (
            <Link to="/teams/$teamId" params={{ teamId: team_id }}>
              {team_id}
            </Link>
          ),
        },
      ]
    : []),
  { id: 'type', header: 'Type', from: 720, cell: ({ job_type }) => job_type },
  {
    id: 'external',
    header: 'External id',
    isExtra: true,
    cell: ({ external_task_id }) => external_task_id ?? <Missing />,
  },
  { id: 'user', header: 'User', isExtra: true, cell: ({ user_id }) => user_id ?? <Missing /> },
  {
    id: 'key',
    header: 'Key',
    width: 104,
    isExtra: true,
    cell: ({ key_id }) =>
      key_id ? (
        <span className="mono" title={key_id}>
          {shortId(key_id)}
        </span>
      ) : (
        <Missing why="the first key" />
      ),
  },
  {
    id: 'models',
    header: 'Model groups',
    isExtra: true,
    cell: ({ model_groups_used }) => model_groups_used.join(', ') || <Missing />,
  },
  {
    id: 'calls',
    header: 'Calls',
    width: 72,
    align: 'end',
    from: 1024,
    cell: ({ total_calls }) => <Count of={total_calls} />,
  },
  {
    id: 'failed',
    header: 'Failed',
    width: 72,
    align: 'end',
    from: 720,
    cell: ({ failed_calls }) =>
      failed_calls > 0 ? <span className={styles.failed}>{failed_calls}</span> : <span className="muted">0</span>,
  },
  {
    id: 'tokens',
    header: 'Tokens',
    width: 88,
    align: 'end',
    from: 1024,
    cell: ({ total_tokens }) => <Count of={total_tokens} short />,
  },
  ...(seesCost
    ? [
        {
          id: 'cost',
          header: 'Cost',
          width: 96,
          align: 'end' as const,
          from: 1024 as const,
          cell: ({ total_cost_usd }: Job) => <Money usd={total_cost_usd} />,
        },
      ]
    : []),
  { id: 'credits', header: 'Credits', width: 84, align: 'end', cell: (job) => <Charged job={job} /> },
  {
    id: 'duration',
    header: 'Duration',
    width: 110,
    align: 'end',
    from: 1024,
    cell: ({ duration_ms }) => <Duration ms={duration_ms} />,
  },
  {
    id: 'created',
    header: 'Created',
    width: 150,
    align: 'end',
    isExtra: true,
    cell: ({ created_at }) => <Time at={created_at} />,
  },
  { id: 'age', header: 'Age', width: 76, align: 'end', cell: ({ created_at }) => <Age of={created_at} /> },
];

/** An open job shows no credits; one that ended without a charge shows `free`. */
function Charged({ job }: { job: Job }) {
  if (job.completed_at === null) return <Missing why="still open" />;
  if (job.credits_charged === 0) return <span className="muted">free</span>;
  return <strong>{job.credits_charged}</strong>;
}
