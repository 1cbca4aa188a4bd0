import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { overviewQuery } from '../../api/overview.ts';
import { bucketRange } from '../../app/answered-range.ts';
import { OutcomeBars } from '../../components/charts/lazy.tsx';
import { Columns, Loading, Section } from '../../components/detail-page.tsx';
import { PageFor } from '../../components/permission.tsx';
import { ProblemNote } from '../../components/problem-note.tsx';
import { Time } from '../../components/time.tsx';
import { UtcDays } from '../../components/utc-days.tsx';
import { AttentionList } from './attention-list.tsx';
import { CostByModelGroup } from './cost-by-model-group.tsx';
import { NewestFailures } from './newest-failures.tsx';
import styles from './overview.module.css';
import { OverviewFigures } from './overview-figures.tsx';

const route = getRouteApi('/frame/');

export const OverviewPage = () => (
  <PageFor needs="usage:read" what="the overview">
    <Overview />
  </PageFor>
);

/** What an operator sees first: the figures of the range, what needs attention, and the newest failures. */
function Overview() {
  const { range, from, to } = route.useSearch();
  const navigate = useNavigate();
  const { data, error, refetch } = useQuery(overviewQuery({ range, from, to }));
  if (!data && error) return <ProblemNote error={error} onRetry={() => void refetch()} />;
  return (
    <article className={styles.page}>
      <header className={styles.head}>
        <h1>Overview</h1>
        {data && (
          <p className="muted">
            <UtcDays {...data} />
          </p>
        )}
      </header>
      {!data && <Loading what="the figures" />}
      {data && (
        <>
          <OverviewFigures overview={data} />
          {data.attention && <AttentionList attention={data.attention} />}
          <Section title="Jobs by outcome, by the UTC day of their creation">
            <OutcomeBars
              label="Jobs by outcome"
              bucket={data.bucket}
              points={data.outcomes}
              completeUntil={data.complete_until}
              height={150}
              onSelect={(first, last) =>
                void navigate({
                  to: '/jobs',
                  search: (before) => ({ ...before, ...bucketRange(first, last, data.bucket) }),
                })
              }
            />
          </Section>
          <Columns>
            <Section
              title="Cost by model group, by the hour of the call’s end"
              aside={
                <span className="muted">
                  counted up to <Time at={data.complete_until} />
                </span>
              }
            >
              <CostByModelGroup overview={data} />
            </Section>
            <Section title="Newest failures, whatever the range">
              <NewestFailures failures={data.newest_failures} />
            </Section>
          </Columns>
        </>
      )}
    </article>
  );
}
