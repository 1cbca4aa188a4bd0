import { Link } from '@tanstack/react-router';
import { useMay, useSession } from '../../../../api/session.ts';

/** A link to the playground with the messages of the call. */
export function OpenInPlayground({ jobId, callId }: { jobId: string; callId: string }) {
  const may = useMay('playground:run');
  const isTeam = useSession().kind === 'team';
  if (!may && !isTeam) return null;
  return (
    <Link to="/playground" search={{ job: jobId, call: callId }}>
      Open in the playground
    </Link>
  );
}
