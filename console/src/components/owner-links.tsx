import { Link } from '@tanstack/react-router';
import { useMay } from '../api/session.ts';

/** To a team, for whom may read teams; for others its id. */
export const TeamLink = ({ id }: { id: string }) =>
  useMay('teams:read') ? (
    <Link to="/teams/$teamId" params={{ teamId: id }} className="mono">
      {id}
    </Link>
  ) : (
    id
  );

export const OrganizationLink = ({ id }: { id: string }) =>
  useMay('organizations:read') ? (
    <Link to="/organizations/$organizationId" params={{ organizationId: id }} className="mono">
      {id}
    </Link>
  ) : (
    id
  );
