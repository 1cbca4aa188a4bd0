import { Link } from '@tanstack/react-router';
import type { OrganizationInList } from '../../../api/types.ts';
import { Count } from '../../../components/ui/count.tsx';
import type { FactList } from '../../../components/ui/facts.tsx';
import { Money } from '../../../components/ui/money.tsx';
import { Status } from '../../../components/ui/status.tsx';
import { Time } from '../../../components/ui/time.tsx';
import { rangeOfMonth } from '../../../url/month.ts';

/** An organization beside its list, with the figures of the month. */
export const organizationFacts = ({ name, status, team_count, usage, created_at }: OrganizationInList): FactList => [
  ['Status', <Status key="status" of={status} />],
  ['Name', name],
  ['Teams', <Count key="teams" of={team_count} />],
  ['Jobs created', <Count key="jobs" of={usage?.total_jobs} />],
  ['Completed', <Count key="completed" of={usage?.completed_jobs} />],
  ['Failed', <Count key="failed" of={usage?.failed_jobs} />],
  ['Credits used', <Count key="credits" of={usage?.credits_used} />],
  ['Tokens', <Count key="tokens" of={usage?.total_tokens} />],
  ['Cost', <Money key="cost" usd={usage?.total_cost_usd} />],
  ['Created', <Time key="created" at={created_at} />],
];

export const organizationLinks = ({ organization_id }: OrganizationInList, month: string) => (
  <>
    <Link to="/organizations/$organizationId" params={{ organizationId: organization_id }} search={{ month }}>
      Open the organization
    </Link>
    <Link to="/teams" search={{ organization: organization_id }}>
      Its teams
    </Link>
    <Link to="/jobs" search={{ organization: organization_id, ...rangeOfMonth(month) }}>
      Jobs of the month
    </Link>
  </>
);
