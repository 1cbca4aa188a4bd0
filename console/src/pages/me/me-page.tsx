import { useSession } from '../../api/session.ts';
import { Facts } from '../../components/ui/facts.tsx';
import { Time } from '../../components/ui/time.tsx';
import { formatDuration } from '../../format/time.ts';
import { Leave } from './leave.tsx';
import styles from './me.module.css';
import { OwnSessions } from './own-sessions.tsx';
import { PasswordForm } from './password-form.tsx';
import { PreferenceForm } from './preference-form.tsx';
import { SecondFactor } from './second-factor.tsx';

/** The account of who is signed in, and what this browser keeps for them. */
export function MePage() {
  const session = useSession();
  const { user, team } = session;
  return (
    <div className={styles.page}>
      <h1>{user?.display_name ?? team?.team_alias ?? team?.team_id ?? 'Your account'}</h1>
      {session.role === 'user' && (
        <p className={styles.note}>
          Accounts of the role <em>user</em> see this page only. An owner can give you the role <em>admin</em>.
        </p>
      )}
      <section>
        <h2>Account</h2>
        <Facts
          facts={[
            ['E-mail', user?.email],
            ['Role', session.role],
            ['Signs in', user?.signs_in_by === 'oidc' ? 'at the identity provider, which gives the role' : null],
            ['Team', team?.team_id],
            ['Organization', team && (team.organization_name ?? team.organization_id)],
            ['Last login', user?.last_login && <Time key="login" at={user.last_login} />],
            ['Session ends', session.expires_at && <Time key="end" at={session.expires_at} />],
            ['Locked when idle for', formatDuration(session.idle_timeout_seconds * 1_000)],
          ]}
        />
      </section>
      <section>
        <h2>This browser</h2>
        <PreferenceForm />
      </section>
      {user && (
        <>
          {user.signs_in_by === 'password' && (
            <>
              <section>
                <h2>Password</h2>
                <PasswordForm userId={user.user_id} email={user.email} />
              </section>
              <section>
                <h2>Second factor</h2>
                <SecondFactor isOn={user.second_factor} />
              </section>
            </>
          )}
          <section className={styles.wide}>
            <h2>Sessions</h2>
            <OwnSessions />
          </section>
          <section className={styles.wide}>
            <h2>Leave</h2>
            <Leave user={user} />
          </section>
        </>
      )}
    </div>
  );
}
