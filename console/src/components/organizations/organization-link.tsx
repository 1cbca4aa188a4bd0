import { Link } from '@tanstack/react-router';
import { useMay } from '../../api/session.ts';

/** Links to an organization; only its id for a reader who may not read organizations. */
export const OrganizationLink = ({ id }: { id: string }) =>
  useMay('organizations:read') ? (
    <Link to="/organizations/$organizationId" params={{ organizationId: id }} className="mono">
      {id}
    </Link>
  ) : (
    id
  );
