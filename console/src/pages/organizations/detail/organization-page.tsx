import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { organizationQuery, organizationUsageQuery } from '../../../api/organizations.ts';
import type { OrganizationUsage } from '../../../api/types.ts';
import { AuditLink } from '../../../components/audit/audit-link.tsx';
import { Count } from '../../../components/ui/count.tsx';
import { DetailPage, Loading, Section } from '../../../components/ui/detail-page.tsx';
import { Figure, Figures } from '../../../components/ui/figure.tsx';
import { Id } from '../../../components/ui/id.tsx';
import { Money } from '../../../components/ui/money.tsx';
import { MonthSelect } from '../../../components/ui/month-select.tsx';
import { PageProblem } from '../../../components/ui/page-problem.tsx';
import { PageFor } from '../../../components/ui/permission.tsx';
import { ProblemNote } from '../../../components/ui/problem-note.tsx';
import { Status } from '../../../components/ui/status.tsx';
import { Time } from '../../../components/ui/time.tsx';
import { formatNumber } from '../../../format/number.ts';
import { useFollow } from '../../../live/use-figures.ts';
import { rangeOfMonth, thisMonth } from '../../../url/month.ts';
import { OrganizationActions } from './organization-actions.tsx';
import { OrganizationTeams } from './organization-teams.tsx';

const route = getRouteApi('/layout/organizations/$organizationId');

export const OrganizationPage = () => (
  <PageFor needs="organizations:read" what="organizations">
    <OrganizationDetail />
  </PageFor>
);

function OrganizationDetail() {
  const { organizationId } = route.useParams();
  const { month = thisMonth() } = route.useSearch();
  const navigate = useNavigate({ from: '/organizations/$organizationId' });
  // A change of its name or status is no event.
  const organization = useQuery({ ...organizationQuery(organizationId), refetchInterval: 10_000 });
  useFollow('organization');
  const usage = useQuery(organizationUsageQuery(organizationId, month));
  if (!organization.data && organization.error) {
    const page = { noun: 'organization', id: organizationId, list: '/organizations' } as const;
    return <PageProblem error={organization.error} onRetry={() => void organization.refetch()} {...page} />;
  }
  if (!organization.data) return <Loading what="the organization" />;
  const { name, status, created_at } = organization.data;
  return (
    <DetailPage
      kind={
        <>
          <Status of={status} />
          <span>
            Organization since <Time at={created_at} />
          </span>
        </>
      }
      title={name}
      id={
        <>
          <Id id={organizationId} whole /> <AuditLink kind="organization" id={organizationId} />
        </>
      }
      actions={<OrganizationActions organization={organization.data} />}
    >
      <Section
        title="Month"
        aside={
          <>
            <Link to="/jobs" search={{ organization: organizationId, ...rangeOfMonth(month) }}>
              Jobs of the month
            </Link>
            <Link to="/ledger" search={{ organization: organizationId, ...rangeOfMonth(month) }}>
              Ledger of the month
            </Link>
            <MonthSelect
              value={month}
              onChange={(next) => void navigate({ search: (before) => ({ ...before, month: next }) })}
            />
          </>
        }
      >
        {usage.error && <ProblemNote error={usage.error} onRetry={() => void usage.refetch()} />}
        {!usage.error && <MonthFigures usage={usage.data} />}
      </Section>
      <Section
        title="Teams"
        aside={
          <Link to="/teams" search={{ organization: organizationId }}>
            In the list of teams
          </Link>
        }
      >
        <OrganizationTeams organizationId={organizationId} usage={usage.data} />
      </Section>
    </DetailPage>
  );
}

function MonthFigures({ usage }: { usage: OrganizationUsage | undefined }) {
  const sums = usage?.summary;
  return (
    <Figures>
      <Figure
        label="Jobs created"
        note={sums && `${formatNumber(sums.completed_jobs)} completed, ${formatNumber(sums.failed_jobs)} failed`}
      >
        <Count of={sums?.total_jobs} />
      </Figure>
      <Figure label="Credits used" note="by the day of the ledger row, less refunds">
        <Count of={sums?.credits_used} />
      </Figure>
      <Figure label="Provider cost" note="by the job's day of creation">
        <Money usd={sums?.total_cost_usd} />
      </Figure>
      <Figure label="Tokens" note="by the job's day of creation">
        <Count of={sums?.total_tokens} short />
      </Figure>
    </Figures>
  );
}
