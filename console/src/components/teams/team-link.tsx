import { Link } from '@tanstack/react-router';
import { useMay } from '../../api/session.ts';

/** Links to a team; only its id for a reader who may not read teams. */
export const TeamLink = ({ id }: { id: string }) =>
  useMay('teams:read') ? (
    <Link to="/teams/$teamId" params={{ teamId: id }} className="mono">
      {id}
    </Link>
  ) : (
    id
  );
