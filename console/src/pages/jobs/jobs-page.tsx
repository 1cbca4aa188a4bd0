import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { ArrowUp, Ban } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { isOpen, jobHistogramQuery } from '../../api/jobs.ts';
import { useMay, useSession } from '../../api/session.ts';
import type { Job } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { OutcomeBars } from '../../components/charts/lazy.tsx';
import { Chips } from '../../components/chips.tsx';
import { PageFor } from '../../components/permission.tsx';
import { ColumnMenu } from '../../components/table/column-menu.tsx';
import { DataTable } from '../../components/table/data-table.tsx';
import { useKeys } from '../../keys/keys.ts';
import { useLiveState } from '../../live/live.ts';
import { CancelJobs } from './cancel-jobs.tsx';
import { ExportButton } from './export-button.tsx';
import { FilterBar } from './filter-bar.tsx';
import { activeFilters, filtersOf, keyOf, noFilters } from './filters.ts';
import { jobColumns } from './job-columns.tsx';
import { JobPeek } from './job-peek.tsx';
import type { JobSearch } from './job-search.ts';
import styles from './jobs.module.css';
import { NoJobs } from './no-jobs.tsx';
import { useJobList } from './use-job-list.ts';

const route = getRouteApi('/frame/jobs');
const pollMs = 5_000;

export const JobsPage = () => (
  <PageFor needs="jobs:read" what="the jobs">
    <JobList />
  </PageFor>
);

function JobList() {
  const search = route.useSearch();
  const navigate = useNavigate({ from: '/jobs' });
  const isAdmin = useSession().kind === 'admin';
  const mayCancel = useMay('jobs:cancel');
  const live = useLiveState();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [isCancelling, setCancelling] = useState(false);

  const key = keyOf(search);
  const filters = () => filtersOf(search);
  const { query, jobs, newer, showNewer, refresh, inView } = useJobList(key, filters);
  const histogram = useQuery(jobHistogramQuery(key, filters));
  const columns = useMemo(() => jobColumns(isAdmin), [isAdmin]);
  const active = activeFilters(search);
  const chosen = jobs.filter((job) => selected.has(job.job_id) && isOpen(job));

  useEffect(() => {
    if (live !== 'polling') return;
    const timer = setInterval(refresh, pollMs);
    return () => clearInterval(timer);
  }, [live, refresh]);

  const apply = (change: Partial<JobSearch>) => void navigate({ search: (before) => ({ ...before, ...change }) });
  const open = ({ job_id }: Job) => void navigate({ to: '/jobs/$jobId', params: { jobId: job_id } });
  const peek = ({ job_id }: Job) => apply({ open: search.open === job_id ? undefined : job_id });
  const select = ({ job_id }: Job) =>
    setSelected((before) => {
      const next = new Set(before);
      if (!next.delete(job_id)) next.add(job_id);
      return next;
    });
  useKeys({ Escape: () => apply({ open: undefined }) }, { isActive: search.open !== undefined });

  return (
    <div className={styles.page}>
      <div className={styles.head}>
        <h1 className="visually-hidden">Jobs</h1>
        <div className={styles.chartPlace}>
          {histogram.data && (
            <OutcomeBars
              label="Jobs by outcome"
              bucket={histogram.data.bucket}
              points={histogram.data.points}
              onSelect={(from, to) =>
                void navigate({
                  search: (before) => ({ ...before, range: undefined, from, to: endOf(to, histogram.data.bucket) }),
                })
              }
            />
          )}
        </div>
        <div className={styles.controls}>
          <FilterBar search={search} onChange={apply} />
          <div className={styles.actions}>
            {chosen.length > 0 && mayCancel && (
              <Button look="danger" icon={Ban} onClick={() => setCancelling(true)}>
                Cancel {chosen.length}
              </Button>
            )}
            <ExportButton filters={filters} />
            <ColumnMenu tableId="jobs" columns={columns} />
          </div>
        </div>
        <Chips
          chips={active.map(({ without, ...filter }) => ({ ...filter, onDrop: () => apply(without) }))}
          onDropAll={() => apply(noFilters)}
        />
      </div>
      {newer > 0 && (
        <button type="button" className={styles.newer} onClick={showNewer}>
          <ArrowUp size={13} aria-hidden />{' '}
          {newer >= 100 ? '100 or more newer jobs' : newer === 1 ? '1 newer job' : `${newer} newer jobs`}
        </button>
      )}
      <div className={styles.body}>
        <DataTable
          id="jobs"
          label="Jobs"
          columns={columns}
          rows={jobs}
          rowId={idOf}
          total={histogram.data?.complete ? histogram.data.total : null}
          state={{ isPending: query.isPending, error: query.error, refetch: () => void query.refetch() }}
          more={{
            hasMore: query.hasNextPage,
            isLoading: query.isFetchingNextPage,
            load: () => void query.fetchNextPage(),
          }}
          empty={<NoJobs active={active} onDrop={apply} />}
          openId={search.open}
          onOpen={open}
          onPeek={peek}
          onRange={(first, last) => {
            inView.current = [first, last];
          }}
          selected={mayCancel ? selected : undefined}
          onSelect={mayCancel ? select : undefined}
          onSelectAll={(all) => setSelected(new Set(all ? jobs.map(idOf) : []))}
        />
        {search.open && <JobPeek jobId={search.open} onClose={() => apply({ open: undefined })} />}
      </div>
      {isCancelling && (
        <CancelJobs
          jobs={chosen}
          onClose={() => setCancelling(false)}
          onDone={() => {
            setSelected(new Set());
            refresh();
          }}
        />
      )}
    </div>
  );
}

const idOf = ({ job_id }: Job): string => job_id;

const hourMs = 3_600_000;
/** The last moment of a bucket. */
const endOf = (at: string, bucket: 'hour' | 'day'): string =>
  new Date(Date.parse(at) + (bucket === 'hour' ? hourMs : 24 * hourMs) - 1).toISOString();
