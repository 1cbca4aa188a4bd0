import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { overviewQuery } from '../../api/overview.ts';
import { useSession } from '../../api/session.ts';
import { OutcomeBars } from '../../components/charts/lazy.tsx';
import { ProblemNote } from '../../components/problem-note.tsx';
import { Quickstart } from './quickstart.tsx';
import styles from './team.module.css';
import { TeamFailures } from './team-failures.tsx';
import { TeamFigures } from './team-figures.tsx';

const route = getRouteApi('/frame/team');

/** What a team sees first: what is left of its credits, its jobs, and how to make one. */
export function TeamPage() {
  const { range, from, to } = route.useSearch();
  const navigate = useNavigate();
  const { team } = useSession();
  const { data, error, refetch } = useQuery(overviewQuery({ range, from, to }));
  return (
    <div className={styles.page}>
      <h1>{team?.team_alias ?? team?.team_id ?? 'Your team'}</h1>
      {error && !data && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {data && (
        <>
          <TeamFigures overview={data} />
          <section>
            <h2>Jobs by outcome, by the UTC day of their creation</h2>
            <OutcomeBars
              label="Jobs by outcome"
              bucket={data.bucket}
              points={data.outcomes}
              height={140}
              onSelect={(start, end) =>
                void navigate({
                  to: '/jobs',
                  search: (before) => ({ ...before, range: undefined, from: start, to: dayEnd(end) }),
                })
              }
            />
          </section>
          <TeamFailures failures={data.newest_failures} />
        </>
      )}
      {team && <Quickstart teamId={team.team_id} />}
    </div>
  );
}

const dayMs = 86_400_000;
const dayEnd = (at: string): string => new Date(Date.parse(at) + dayMs - 1).toISOString();
