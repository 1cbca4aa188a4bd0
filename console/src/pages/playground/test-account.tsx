import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { playgroundQuery } from '../../api/playground.ts';
import type { Team } from '../../api/types.ts';
import { TeamLink } from '../../components/teams/team-link.tsx';
import { ProblemNote } from '../../components/ui/problem-note.tsx';
import { exactUsd } from '../../format/money.ts';
import { formatCount } from '../../format/number.ts';
import styles from './playground.module.css';

/** Who pays for the runs of an admin, and how much is left. */
export function TestAccount() {
  const { data, error, refetch } = useQuery(playgroundQuery);
  if (error && !data) return <ProblemNote error={error} onRetry={() => void refetch()} />;
  if (!data) return null;
  return (
    <p className={styles.account}>
      {data.test_account ? (
        <Account team={data.test_account} />
      ) : (
        'The first run makes a test account with 100 credits, which pays for the runs of all admins.'
      )}{' '}
      Its jobs are in all figures: they cost, and earn nothing.
    </p>
  );
}

function Account({ team }: { team: Team }) {
  const { team_id, credits_remaining, rpm_limit, job_budget_defaults, status } = team;
  const { max_cost_usd } = job_budget_defaults ?? {};
  return (
    <>
      The test account <TeamLink id={team_id} /> pays.{' '}
      {status === 'suspended'
        ? 'It is suspended: no run is possible.'
        : `${formatCount(credits_remaining, 'credit')} left`}
      {rpm_limit !== null && `, ${formatCount(rpm_limit, 'call')} a minute`}
      {typeof max_cost_usd === 'number' && `, at most ${exactUsd(max_cost_usd)} a call`}
      {'. '}
      {credits_remaining < 1 && (
        <Link to="/teams/$teamId" params={{ teamId: team_id }} search={{ tab: 'credits' }}>
          Allocate credits
        </Link>
      )}
    </>
  );
}
