import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { overviewQuery } from '../../api/overview.ts';
import { CountedUpTo } from '../../components/calls/no-calls.tsx';
import { FailureTable } from '../../components/jobs/failure-table.tsx';
import { JobDays } from '../../components/jobs/job-days.tsx';
import { JobOutcomes } from '../../components/jobs/job-figures.tsx';
import { Columns, DetailPage, Loading, Section } from '../../components/ui/detail-page.tsx';
import { FiguresProblem } from '../../components/ui/page-problem.tsx';
import { PageFor } from '../../components/ui/permission.tsx';
import { useFollow } from '../../live/use-figures.ts';
import { AttentionList } from './attention-list.tsx';
import { CostByModelGroup } from './cost-by-model-group.tsx';
import { FirstCallHint } from './first-call-hint.tsx';
import { OverviewFigures } from './overview-figures.tsx';

const route = getRouteApi('/layout/');

export const OverviewPage = () => (
  <PageFor needs="usage:read" what="the overview">
    <Overview />
  </PageFor>
);

/** What an operator sees first: the figures of the range, what needs attention, and the newest failures. */
function Overview() {
  const { range, from, to } = route.useSearch();
  const { data, error, refetch } = useQuery(overviewQuery({ range, from, to }));
  useFollow('overview');
  if (!data && error) return <FiguresProblem title="Overview" error={error} onRetry={() => void refetch()} />;
  return (
    <DetailPage kind={data ? <JobDays {...data} /> : 'All teams'} title="Overview">
      {!data && <Loading what="the figures" />}
      {data && (
        <>
          {data.jobs.value === 0 && <FirstCallHint />}
          <OverviewFigures overview={data} />
          {data.attention && <AttentionList attention={data.attention} />}
          <JobOutcomes overview={data} />
          <Columns>
            <Section
              title="Cost by model group, by the hour of the call’s end"
              aside={
                <span className="muted">
                  <CountedUpTo {...data} />
                </span>
              }
            >
              <CostByModelGroup overview={data} />
            </Section>
            <Section title="Latest failures, at any time">
              <FailureTable failures={data.newest_failures} of="admin" />
            </Section>
          </Columns>
        </>
      )}
    </DetailPage>
  );
}
