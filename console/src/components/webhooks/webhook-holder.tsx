import { Link } from '@tanstack/react-router';

/** Whose webhook it is: a team's, or the installation's (null), for an admin. */
export const WebhookHolder = ({ teamId }: { teamId: string | null }) =>
  teamId === null ? (
    'the installation'
  ) : (
    <Link to="/teams/$teamId" params={{ teamId }} search={{ tab: 'webhooks' }}>
      {teamId}
    </Link>
  );
