import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { liveMs, liveQuery } from '../../api/system.ts';
import type { Changes } from '../../api/types.ts';
import { DetailPage, Loading, Section } from '../../components/ui/detail-page.tsx';
import { FiguresProblem } from '../../components/ui/page-problem.tsx';
import { PageFor } from '../../components/ui/permission.tsx';
import { ProblemNote } from '../../components/ui/problem-note.tsx';
import { Time } from '../../components/ui/time.tsx';
import { WorkerTable } from '../../components/workers/worker-table.tsx';
import { formatNumber } from '../../format/number.ts';
import { useChanges } from '../../live/live.ts';
import { useThrottledFigures } from '../../live/use-figures.ts';
import { LiveFigures } from './live-figures.tsx';
import { LiveTeams } from './live-teams.tsx';

export const LivePage = () => (
  <PageFor needs="system:read" what="what happens now">
    <LiveNow />
  </PageFor>
);

/** What happens now: read every five seconds, and as soon as a job or a call has changed. */
function LiveNow() {
  const cache = useQueryClient();
  const { data, error, refetch } = useQuery(liveQuery);
  const refresh = useThrottledFigures(() => cache.invalidateQueries({ queryKey: liveQuery.queryKey }), liveMs);
  const onChanges = useCallback(
    ({ jobs = [], calls = [] }: Changes) => {
      if (jobs.length + calls.length > 0) refresh();
    },
    [refresh],
  );
  useChanges(onChanges, refresh);

  if (!data && error) return <FiguresProblem title="Live" error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading what="figures" />;
  const { teams, teams_total, workers, at } = data;
  return (
    <DetailPage
      kind={
        <span>
          As of <Time at={at} />
        </span>
      }
      title="Live"
    >
      {error && <ProblemNote error={error} onRetry={() => void refetch()} />}
      <LiveFigures live={data} />
      <Section
        title="Teams with open jobs, most calls first"
        aside={
          teams_total > teams.length && (
            <span className="muted">
              top {formatNumber(teams.length)} of {formatNumber(teams_total)}
            </span>
          )
        }
      >
        <LiveTeams teams={teams} />
      </Section>
      <Section title="Workers of the last hour">
        <WorkerTable workers={workers} />
      </Section>
    </DetailPage>
  );
}
