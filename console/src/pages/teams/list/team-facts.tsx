import { Link } from '@tanstack/react-router';
import type { Team } from '../../../api/types.ts';
import { Balance, budgetOf } from '../../../components/teams/balance.tsx';
import { Count } from '../../../components/ui/count.tsx';
import type { FactList } from '../../../components/ui/facts.tsx';
import { Missing } from '../../../components/ui/money.tsx';
import { Status } from '../../../components/ui/status.tsx';
import { Time } from '../../../components/ui/time.tsx';
import { budgetModes } from '../budget-modes.ts';

const listed = (names: readonly string[]) => (names.length > 0 ? names.join(', ') : <Missing why="none" />);

/** A team beside its list. */
export const teamFacts = (team: Team): FactList => [
  ['Status', <Status key="status" of={team.status} />],
  ['Name', team.team_alias],
  [
    'Organization',
    <Link
      key="organization"
      to="/organizations/$organizationId"
      params={{ organizationId: team.organization_id }}
      className="mono"
    >
      {team.organization_id}
    </Link>,
  ],
  ['Credits left', <Balance key="left" of={team} />],
  ['Allocated', <Count key="allocated" of={team.credits_allocated} />],
  ['Used', <Count key="used" of={team.credits_used} />],
  ['Budget', budgetOf(team)],
  ['A job costs', budgetModes[team.budget_mode]],
  ['Model groups', listed(team.model_groups)],
  ['Access groups', listed(team.access_groups)],
  ['Created', <Time key="created" at={team.created_at} />],
];

export const teamLinks = ({ team_id }: Team) => (
  <>
    <Link to="/teams/$teamId" params={{ teamId: team_id }}>
      Open the team
    </Link>
    <Link to="/jobs" search={{ team: team_id }}>
      Its jobs
    </Link>
    <Link to="/ledger" search={{ team: team_id }}>
      Its ledger
    </Link>
  </>
);
