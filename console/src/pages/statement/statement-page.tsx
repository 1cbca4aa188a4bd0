import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Printer } from 'lucide-react';
import { useSession } from '../../api/session.ts';
import { statementPath, statementQuery } from '../../api/teams.ts';
import { Button } from '../../components/ui/button.tsx';
import { Columns, DetailPage, Loading, None, Section } from '../../components/ui/detail-page.tsx';
import { ExportButton } from '../../components/ui/list/list-actions.tsx';
import { MonthSelect } from '../../components/ui/month-select.tsx';
import { PageProblem } from '../../components/ui/page-problem.tsx';
import { PageFor } from '../../components/ui/permission.tsx';
import { DataTable } from '../../components/ui/table/data-table.tsx';
import { UtcDays } from '../../components/ui/utc-days.tsx';
import { formatCount } from '../../format/number.ts';
import { formatMonth } from '../../format/time.ts';
import { useFollow } from '../../live/use-figures.ts';
import { thisMonth } from '../../url/month.ts';
import styles from './statement.module.css';
import { statementColumns } from './statement-columns.tsx';
import { StatementCredits, StatementJobs } from './statement-figures.tsx';

const route = getRouteApi('/layout/statement');
/** More do not fit on a sheet of paper; `statement.module.css` has the number too. */
const printedTypes = 24;

export const StatementPage = () => (
  <PageFor needs="usage:read" what="the statement">
    <StatementOfMonth />
  </PageFor>
);

/** A calendar month of a team as a statement, which prints on one page. */
function StatementOfMonth() {
  const { team: own } = useSession();
  const { month = thisMonth(), team } = route.useSearch();
  const teamId = own?.team_id ?? team;
  if (!teamId)
    return (
      <DetailPage kind="A calendar month of a team" title="Statement">
        <None>A statement is of one team: open it from the page of the team.</None>
      </DetailPage>
    );
  return <OfTeam teamId={teamId} month={month} isOwn={own !== null} />;
}

function OfTeam({ teamId, month, isOwn }: { teamId: string; month: string; isOwn: boolean }) {
  const navigate = useNavigate({ from: '/statement' });
  const { data, error, refetch } = useQuery(statementQuery(teamId, month));
  useFollow('statement');
  if (!data && error) {
    const page = { noun: 'team', id: teamId, list: '/teams' } as const;
    return <PageProblem error={error} onRetry={() => void refetch()} {...page} />;
  }
  if (!data) return <Loading what="the statement" />;
  const ofTeam = isOwn ? undefined : teamId;
  return (
    <DetailPage
      kind={
        <>
          <span>Statement of {data.team_alias ?? data.team_id}</span>
          <span>{data.organization_name}</span>
        </>
      }
      title={formatMonth(data.period)}
      id={
        <>
          <UtcDays from={data.from} to={data.to} />
          {!data.is_complete && ', so far'}
        </>
      }
      actions={
        <>
          <MonthSelect
            value={month}
            onChange={(next) => void navigate({ search: (before) => ({ ...before, month: next }) })}
          />
          <ExportButton
            what="lines of the statement"
            path={statementPath(teamId)}
            query={() => ({ period: month })}
            total={undefined}
          />
          <Button icon={Printer} aria-label="Print" title="Print" onClick={() => window.print()} />
        </>
      }
    >
      <Columns>
        <Section title="Credits, by the day of the ledger row">
          <StatementCredits statement={data} team={ofTeam} />
        </Section>
        <Section title="Jobs, by the day of their creation">
          <StatementJobs statement={data} team={ofTeam} />
        </Section>
      </Columns>
      <Section title="Jobs by type">
        <div className={styles.types}>
          <DataTable
            id="statement-types"
            label="Jobs of the month by type"
            isFlat
            columns={statementColumns(month, ofTeam)}
            rows={data.job_types}
            rowId={({ job_type }) => job_type}
            empty={<None>No job was created in this month.</None>}
          />
          {data.job_types.length > printedTypes && (
            <p className={styles.printed}>
              {formatCount(data.job_types.length - printedTypes, 'more type')}: on the page and in its file
            </p>
          )}
        </div>
      </Section>
      <p className="muted">
        A job counts in the month of its creation, and its charge in the month in which it was made: the credits that
        jobs of this month were charged may be deducted in the next one.
      </p>
    </DetailPage>
  );
}
