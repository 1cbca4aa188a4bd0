import { Link } from '@tanstack/react-router';
import type { AdminUser } from '../../api/types.ts';
import type { FactList } from '../../components/ui/facts.tsx';
import { Status } from '../../components/ui/status.tsx';
import { Time } from '../../components/ui/time.tsx';
import { roleHints } from '../../components/users/roles.ts';
import { ofLastDays } from '../../url/time-range.ts';

/** An account beside its list. */
export const userFacts = (user: AdminUser): FactList => [
  ['Status', <Status key="status" of={user.is_active ? 'active' : 'inactive'} />],
  ['Name', user.display_name],
  ['E-mail', user.email],
  ['Role', `${user.role}: ${roleHints[user.role].toLowerCase()}`],
  ['Signs in by', user.signs_in_by === 'oidc' ? 'the identity provider' : 'password'],
  ['Second factor', user.signs_in_by === 'oidc' ? null : user.second_factor ? 'on' : 'off'],
  ['Last sign-in', <Time key="login" at={user.last_login} missing="never" />],
  ['Created', <Time key="created" at={user.created_at} />],
];

export const userLinks = ({ user_id }: AdminUser) => (
  <>
    <Link to="/audit" search={{ user: user_id, ...ofLastDays(90) }}>
      What they did
    </Link>
    <Link to="/audit" search={{ kind: 'admin_user', resource: user_id, ...ofLastDays(90) }}>
      What was done to the account
    </Link>
  </>
);
