import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { overviewQuery } from '../../api/overview.ts';
import { useSession } from '../../api/session.ts';
import { FailureTable } from '../../components/jobs/failure-table.tsx';
import { JobDays } from '../../components/jobs/job-days.tsx';
import { JobOutcomes } from '../../components/jobs/job-figures.tsx';
import { Columns, DetailPage, Section } from '../../components/ui/detail-page.tsx';
import { ProblemNote } from '../../components/ui/problem-note.tsx';
import { useFollow } from '../../live/use-figures.ts';
import { CallableModels } from './callable-models.tsx';
import { Quickstart } from './quickstart.tsx';
import { TeamHomeFigures } from './team-home-figures.tsx';
import { ThisMonth } from './this-month.tsx';
import { WithoutCredits } from './without-credits.tsx';

const route = getRouteApi('/layout/team');

/** What a team sees first: what is left of its credits, its jobs, and how to make one. */
export function TeamHomePage() {
  const { range, from, to } = route.useSearch();
  const { team } = useSession();
  const { data, error, refetch } = useQuery(overviewQuery({ range, from, to }));
  useFollow('overview');
  return (
    <DetailPage
      kind={data ? <JobDays {...data} /> : 'Overview'}
      title={team?.team_alias ?? team?.team_id ?? 'Your team'}
    >
      {error && !data && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {data && (
        <>
          <TeamHomeFigures overview={data} />
          <JobOutcomes overview={data} />
          {team && (
            <Columns>
              <WithoutCredits teamId={team.team_id} />
              <ThisMonth teamId={team.team_id} />
            </Columns>
          )}
          {team && <CallableModels teamId={team.team_id} />}
          <Section title="Latest failures, at any time">
            <FailureTable failures={data.newest_failures} of="team" />
          </Section>
        </>
      )}
      <Quickstart />
    </DetailPage>
  );
}
