import { Link } from '@tanstack/react-router';
import type { AdminUser, AuditEntry } from '../../api/types.ts';
import { actionPhrase } from '../../format/audit.ts';
import { shortId } from '../ui/id.tsx';
import { ResourceLink } from './resource-link.tsx';

interface AuditSentenceProps {
  entry: AuditEntry;
  users: ReadonlyMap<string, AdminUser>;
}

/** Who did what to what: `Ada Lovelace suspended the team acme-research`. */
export const AuditSentence = ({ entry, users }: AuditSentenceProps) => (
  <>
    <Actor entry={entry} /> {actionPhrase(entry.action)}{' '}
    {!isAboutOneself(entry) && <Resource entry={entry} users={users} />}
  </>
);

/** `Ada signed in` needs no object. */
const isAboutOneself = ({ action, user_id, resource_id, resource_type }: AuditEntry): boolean =>
  (action === 'login' || action === 'logout') && (resource_type === 'admin_session' || resource_id === user_id);

/** Actions that need no credential. */
const anonymousActions = ['failed_login', 'reset_owner'];

/** Without a user it was a team, which is named in the details, or the platform key. */
function Actor({ entry: { user_id, user_name, action, details } }: Pick<AuditSentenceProps, 'entry'>) {
  if (user_id)
    return (
      <Link to="/audit" search={(before) => ({ ...before, user: user_id, open: undefined })}>
        <strong>{user_name ?? `Account ${shortId(user_id)}`}</strong>
      </Link>
    );
  const { caller, team_id } = details as { caller?: unknown; team_id?: unknown };
  if (caller === 'team' && typeof team_id === 'string') return <strong>Team {team_id}</strong>;
  return <strong>{anonymousActions.includes(action) ? 'Somebody' : 'The platform key'}</strong>;
}

function Resource({ entry: { resource_type, resource_id, details }, users }: AuditSentenceProps) {
  const { email, name } = details as { email?: unknown; name?: unknown };
  const user = resource_id && resource_type === 'admin_user' ? users.get(resource_id) : undefined;
  const named = resource_type === 'key' ? name : email;
  const label = user?.display_name ?? (typeof named === 'string' ? named : undefined);
  return <ResourceLink type={resource_type} id={resource_id} label={label} />;
}
