import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import type { JobTimeline } from '../../../api/types.ts';
import { pickList } from '../../../components/jobs/job-search.ts';
import { DetailPage, Loading } from '../../../components/ui/detail-page.tsx';
import { Id } from '../../../components/ui/id.tsx';
import { PageProblem } from '../../../components/ui/page-problem.tsx';
import { PageFor } from '../../../components/ui/permission.tsx';
import { Status } from '../../../components/ui/status.tsx';
import { useDebounced } from '../../../components/ui/use-debounced.ts';
import { useShortcuts } from '../../../shortcuts/use-shortcuts.ts';
import { JobActions } from './job-actions.tsx';
import { ReceiptNav } from './neighbours/receipt-nav.tsx';
import styles from './receipt.module.css';
import { ReceiptFigures } from './receipt-figures.tsx';
import type { ReceiptSearch } from './receipt-search.ts';
import { useTimeline } from './use-timeline.ts';
import { VerdictReasons } from './verdict-reasons.tsx';

// What was charged and why is shown first; the parts with tables, tabs and an axis are loaded after it.
const BudgetCard = lazy(() => import('./budget/budget-card.tsx').then(({ BudgetCard }) => ({ default: BudgetCard })));
const ItemDetail = lazy(() => import('./item/item-detail.tsx').then(({ ItemDetail }) => ({ default: ItemDetail })));
const JobRecord = lazy(() => import('./job-record.tsx').then(({ JobRecord }) => ({ default: JobRecord })));
const Timeline = lazy(() => import('./timeline/timeline.tsx').then(({ Timeline }) => ({ default: Timeline })));

const route = getRouteApi('/layout/jobs/$jobId');

/** The receipt: what was charged and why, and below it what happened. */
export const JobPage = () => (
  <PageFor needs="jobs:read" what="the receipts of jobs">
    <LoadedJob />
  </PageFor>
);

function LoadedJob() {
  const { jobId } = route.useParams();
  const list = pickList(route.useSearch());
  const { data, error, refetch, refresh } = useTimeline(jobId);
  return (
    <>
      <ReceiptNav job={data?.job} list={list} />
      {data ? (
        <Receipt key={jobId} timeline={data} onChanged={refresh} />
      ) : error ? (
        <PageProblem error={error} onRetry={() => void refetch()} noun="job" id={jobId} list="/jobs" />
      ) : (
        <Loading what="the receipt" />
      )}
    </>
  );
}

function Receipt({ timeline, onChanged }: { timeline: JobTimeline; onChanged: () => void }) {
  const search = route.useSearch();
  const item = useDebounced(search.item);
  const navigate = useNavigate({ from: '/jobs/$jobId' });
  const apply = (change: ReceiptSearch) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true });
  useShortcuts({ Escape: () => apply({ item: undefined, tab: undefined }) }, { isActive: search.item !== undefined });
  const { job, verdict } = timeline;
  return (
    <DetailPage
      kind={
        <>
          <Status of={job.status} /> <span>{job.job_type}</span>
        </>
      }
      title={verdict.sentence}
      id={<Id id={job.job_id} whole />}
      actions={<JobActions timeline={timeline} onChanged={onChanged} />}
    >
      <ReceiptFigures timeline={timeline} />
      <VerdictReasons verdict={verdict} />
      {timeline.budget && (
        <Suspense>
          <BudgetCard timeline={timeline} budget={timeline.budget} />
        </Suspense>
      )}
      <Suspense fallback={<div className={styles.timelinePlace} />}>
        <Timeline timeline={timeline} selected={search.item} onSelect={(item) => apply({ item })} />
      </Suspense>
      <Suspense>
        {search.item && item && (
          <ItemDetail
            key={item}
            timeline={timeline}
            id={item}
            tab={search.tab}
            onTab={(tab) => apply({ tab })}
            onClose={() => apply({ item: undefined, tab: undefined })}
          />
        )}
        <JobRecord timeline={timeline} range={search} selected={search.item} onSelect={(item) => apply({ item })} />
      </Suspense>
    </DetailPage>
  );
}
