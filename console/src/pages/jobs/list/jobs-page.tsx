import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Ban } from 'lucide-react';
import { lazy, Suspense, useMemo, useState } from 'react';
import { countJobs, isOpen } from '../../../api/jobs.ts';
import { useMay, useSeesCost, useSession } from '../../../api/session.ts';
import type { Job } from '../../../api/types.ts';
import { jobColumns } from '../../../components/jobs/job-columns.tsx';
import { jobFilters } from '../../../components/jobs/job-filters.ts';
import {
  type JobListSearch,
  orderOptions,
  pickList,
  toListKey,
  toListQuery,
} from '../../../components/jobs/job-search.ts';
import { Button } from '../../../components/ui/button.tsx';
import { AddFilter, EmptyList, FilterChips, FilterToggles } from '../../../components/ui/list/filter-controls.tsx';
import { ExportButton } from '../../../components/ui/list/list-actions.tsx';
import { ListPage, NewerRows } from '../../../components/ui/list/list-page.tsx';
import { SearchBox } from '../../../components/ui/list/search-box.tsx';
import { PageFor } from '../../../components/ui/permission.tsx';
import { Select } from '../../../components/ui/select.tsx';
import { ColumnMenu } from '../../../components/ui/table/column-menu.tsx';
import { DataTable } from '../../../components/ui/table/data-table.tsx';
import { useOpenRow } from '../../../components/ui/table/use-open-row.ts';
import { formatCount } from '../../../format/number.ts';
import { ListHistogram, useJobHistogram } from './job-histogram.tsx';
import { JobSample } from './job-sample.tsx';
import { JobTotals } from './job-totals.tsx';
import { useJobList } from './use-job-list.ts';
import { useSelection } from './use-selection.ts';
import { ViewsButton } from './views/views-button.tsx';

// What a row or a selection opens is loaded then: the list is the largest page.
const CancelJobs = lazy(() => import('./cancel-jobs.tsx').then(({ CancelJobs }) => ({ default: CancelJobs })));
const JobPeek = lazy(() => import('./job-peek.tsx').then(({ JobPeek }) => ({ default: JobPeek })));

const route = getRouteApi('/layout/jobs');
/** Newer jobs are counted within one page: with this many there may be more. */
const pageSize = 100;

export const JobsPage = () => (
  <PageFor needs="jobs:read" what="the jobs">
    <JobList />
  </PageFor>
);

function JobList() {
  const search = route.useSearch();
  const navigate = useNavigate({ from: '/jobs' });
  const isAdmin = useSession().kind === 'admin';
  const seesCost = useSeesCost();
  const mayCancel = useMay('jobs:cancel');
  /** The jobs that were selected when the dialog opened: one that ends meanwhile does not change the dialog. */
  const [cancelling, setCancelling] = useState<Job[]>();

  const listKey = JSON.stringify(toListKey(search));
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same list is the same object, so that no row is drawn again
  const list = useMemo(() => pickList(search), [listKey]);
  const columns = useMemo(() => jobColumns({ seesTeams: isAdmin, seesCost }, list), [isAdmin, seesCost, list]);
  const { table, newer, showNewer, refresh, inView } = useJobList(search);
  const histogram = useJobHistogram(search);
  const selection = useSelection(listKey);
  const chosen = table.rows.filter((job) => selection.ids.has(job.job_id) && isOpen(job));

  const { open, close, toggle } = useOpenRow();
  const apply = (change: JobListSearch, isContinued = false) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: isContinued });
  const filter = { filters: jobFilters, search, onChange: apply };

  return (
    <ListPage
      title="Jobs"
      chart={<ListHistogram search={search} />}
      filters={
        <>
          <ViewsButton list={list} />
          <SearchBox
            label="id or external id"
            value={search.q}
            onChange={(q, isContinued) => apply({ q }, isContinued)}
          />
          <FilterToggles name="status" {...filter} />
          <AddFilter {...filter} />
          <Select
            label="Order"
            value={search.order ?? 'newest'}
            options={orderOptions}
            onChange={(order) => apply({ order: order === 'newest' ? undefined : order })}
          />
        </>
      }
      actions={
        <>
          {selection.ids.size > 0 && mayCancel && (
            <Button
              look="danger"
              icon={Ban}
              unavailable={chosen.length === 0 && 'All selected jobs have ended'}
              onClick={() => setCancelling(chosen)}
            >
              Cancel {chosen.length}
              {chosen.length < selection.ids.size && ` of ${selection.ids.size}`}
            </Button>
          )}
          <ExportButton what="jobs" path="/api/jobs" query={() => toListQuery(search)} count={countJobs} />
          <ColumnMenu tableId="jobs" columns={columns} />
        </>
      }
      chips={<FilterChips {...filter} />}
      totals={<JobTotals search={search} list={list} onCancelled={refresh} />}
      notice={newer > 0 && <NewerRows text={newerText(newer)} onShow={showNewer} />}
    >
      <DataTable
        id="jobs"
        label="Jobs"
        columns={columns}
        {...table}
        rowId={idOf}
        total={histogram?.complete ? histogram.total : null}
        empty={
          <EmptyList what="jobs in this time range" {...filter}>
            <JobSample />
          </EmptyList>
        }
        openId={open}
        onOpen={({ job_id }) => void navigate({ to: '/jobs/$jobId', params: { jobId: job_id }, search: list })}
        onPeek={({ job_id }) => toggle(job_id)}
        onRange={(first, last) => {
          inView.current = [first, last];
        }}
        selected={mayCancel ? selection.ids : undefined}
        onSelect={mayCancel ? ({ job_id }) => selection.toggle(job_id) : undefined}
        onSelectAll={(all) => selection.set(all ? table.rows.map(idOf) : [])}
      />
      <Suspense>
        {open && (
          <JobPeek jobId={open} row={table.rows.find((job) => idOf(job) === open)} list={list} onClose={close} />
        )}
      </Suspense>
      <Suspense>
        {cancelling && (
          <CancelJobs
            jobs={cancelling}
            onClose={() => setCancelling(undefined)}
            onDone={() => {
              selection.clear();
              refresh();
            }}
          />
        )}
      </Suspense>
    </ListPage>
  );
}

const idOf = ({ job_id }: Job): string => job_id;

const newerText = (count: number): string =>
  count >= pageSize ? `${pageSize} or more newer jobs` : formatCount(count, 'newer job');
