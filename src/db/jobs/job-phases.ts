import type { ListPosition } from '../../contracts/cursor.ts';
import { type JobSortField, type JobStatus, jobStatuses } from '../../domain/job-state.ts';
import { afterPosition, columnSql, type KeyColumn, type Keyset, orderBySql } from '../sql/keyset.ts';
import type { JobRow } from './find-job.ts';

export interface JobOrder {
  sort_by: JobSortField;
  order: 'asc' | 'desc';
}

/**
 * A part of a list of jobs that one index has in its order. A list whose order no index has, because it is by a column that may be
 * null or by few values, is its parts one after the other.
 */
export interface Phase {
  /** Names the order and the part in cursors. */
  keyset: Keyset;
  /** The jobs of the part. */
  where: string;
  /** The status of all jobs of the part, if it has one status. */
  status?: JobStatus;
  /** The part has only jobs that have not ended. */
  isOpen?: boolean;
}

const columnTypes = {
  job_type: 'text',
  created_at: 'timestamptz',
  started_at: 'timestamptz',
  completed_at: 'timestamptz',
} as const;
type Leading = keyof typeof columnTypes;

/** The id breaks a tie in the direction that the indexes have. */
function newKeyset({ sort_by, order }: JobOrder, part: string, leading: readonly Leading[]): Keyset {
  const columns = leading.map((sql): KeyColumn => ({ sql, type: columnTypes[sql], direction: order }));
  const id: KeyColumn = { sql: 'job_id', type: 'uuid', direction: order === 'desc' ? 'asc' : 'desc' };
  return { name: ['jobs', sort_by, order, part].join(' '), columns: [...columns, id] };
}

const statusesInOrder = ({ order }: JobOrder): JobStatus[] =>
  order === 'asc' ? jobStatuses.toSorted() : jobStatuses.toSorted().reverse();

/** The parts of the list in this order, with nulls last in both directions. `spec 3.8` */
export function toPhases(order: JobOrder): Phase[] {
  const byCreation = (part: string) => newKeyset(order, part, ['created_at']);
  const { sort_by } = order;
  switch (sort_by) {
    case 'created_at':
      return [{ keyset: byCreation('all'), where: 'true' }];
    case 'job_type':
      return [{ keyset: newKeyset(order, 'all', ['job_type', 'created_at']), where: 'true' }];
    case 'status':
      return statusesInOrder(order).map((status) => ({
        keyset: byCreation(status),
        where: `status = '${status}'`,
        status,
      }));
    case 'completed_at':
      return [
        { keyset: newKeyset(order, 'ended', ['completed_at', 'created_at']), where: 'completed_at is not null' },
        { keyset: byCreation('open'), where: 'completed_at is null', isOpen: true },
      ];
    case 'started_at':
      return [
        { keyset: newKeyset(order, 'started', ['started_at', 'created_at']), where: 'started_at is not null' },
        { keyset: byCreation('not started'), where: 'started_at is null' },
      ];
  }
}

const toText = (value: string | Date | null): string | null => (value instanceof Date ? value.toISOString() : value);

/** The position of a job of the part. */
export const positionIn = ({ keyset: { name, columns } }: Phase, job: JobRow): ListPosition => ({
  order: name,
  values: columns.map(({ sql }) => toText(job[sql as Leading | 'job_id'])),
});

/** The position before the first job of the part. */
export const beginningOf = ({ keyset: { name } }: Phase): ListPosition => ({ order: name, values: [] });

/** The position of a job in the list. */
export function toPosition(order: JobOrder, job: JobRow): ListPosition {
  const has: Record<JobSortField, (phase: Phase) => boolean> = {
    created_at: () => true,
    job_type: () => true,
    status: ({ status }) => status === job.status,
    completed_at: ({ isOpen }) => (isOpen ?? false) === (job.completed_at === null),
    started_at: ({ where }) => (where === 'started_at is null') === (job.started_at === null),
  };
  return positionIn(toPhases(order).find(has[order.sort_by])!, job);
}

/**
 * The condition of the jobs after a position of the part. Its first comparison is one of rows, with which an index begins where the
 * page before has ended: comparing column by column would read all jobs of the same type again.
 */
export function afterPositionInPhase({ keyset }: Phase, position: ListPosition | null): string {
  if (!position) return 'true';
  const leading = keyset.columns.slice(0, -1);
  const operator = leading[0]!.direction === 'desc' ? '<=' : '>=';
  const values = leading.map(({ type }, index) => `:after_${index}::${type}`);
  return `(${leading.map(columnSql).join(', ')}) ${operator} (${values.join(', ')}) and ${afterPosition(keyset, position)}`;
}

export const orderOfPhase = ({ keyset }: Phase): string => orderBySql(keyset);
