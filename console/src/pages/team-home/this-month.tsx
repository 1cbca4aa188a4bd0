import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { statementQuery } from '../../api/teams.ts';
import { None, Section } from '../../components/ui/detail-page.tsx';
import { Facts } from '../../components/ui/facts.tsx';
import { ProblemNote } from '../../components/ui/problem-note.tsx';
import { formatNumber, formatSigned } from '../../format/number.ts';
import { useFollow } from '../../live/use-figures.ts';
import { thisMonth } from '../../url/month.ts';

/** The statement of the present month in short. */
export function ThisMonth({ teamId }: { teamId: string }) {
  const { data, error, refetch } = useQuery(statementQuery(teamId, thisMonth()));
  useFollow('statement');
  return (
    <Section title="This month (UTC)" aside={<Link to="/statement">Statement</Link>}>
      {error && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {!data && !error && <None>…</None>}
      {data && (
        <Facts
          facts={[
            ['Opening balance', formatNumber(data.credits.opening_balance)],
            ['Charged', formatSigned(-data.credits.deducted)],
            ['Refunded', formatSigned(data.credits.refunded)],
            ['Allocated, adjusted', `${formatSigned(data.credits.allocated)}, ${formatSigned(data.credits.adjusted)}`],
            ['Jobs', formatNumber(data.jobs.jobs)],
          ]}
        />
      )}
    </Section>
  );
}
