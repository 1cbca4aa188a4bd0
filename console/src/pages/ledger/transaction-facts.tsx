import { Link } from '@tanstack/react-router';
import type { LedgerTransaction } from '../../api/types.ts';
import { formatChange } from '../../components/ledger/transaction-columns.tsx';
import { OrganizationLink } from '../../components/organizations/organization-link.tsx';
import { TeamLink } from '../../components/teams/team-link.tsx';
import { Count } from '../../components/ui/count.tsx';
import type { FactList } from '../../components/ui/facts.tsx';
import { Id } from '../../components/ui/id.tsx';
import { Time } from '../../components/ui/time.tsx';

/** A row of the ledger beside it. */
export const transactionFacts = (row: LedgerTransaction): FactList => [
  ['Row', row.transaction_type],
  ['Time', <Time key="at" at={row.created_at} />],
  ['Team', <TeamLink key="team" id={row.team_id} />],
  ['Organization', <OrganizationLink key="organization" id={row.organization_id} />],
  ['Credits', formatChange(row)],
  ['Balance before', <Count key="before" of={row.credits_before} />],
  ['Balance after', <Count key="after" of={row.credits_after} />],
  ['Job', row.job_id && <Id key="job" id={row.job_id} whole />],
  ['Reason', row.reason],
];

export const transactionLinks = ({ job_id, team_id }: LedgerTransaction, seesTeams: boolean) => (
  <>
    {job_id && (
      <Link to="/jobs/$jobId" params={{ jobId: job_id }}>
        Receipt of the job
      </Link>
    )}
    {seesTeams && (
      <Link to="/teams/$teamId" params={{ teamId: team_id }} search={{ tab: 'credits' }}>
        Credits of the team
      </Link>
    )}
  </>
);
