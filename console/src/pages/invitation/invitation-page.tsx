import { skipToken, useQuery } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import { readInvitation } from '../../api/invitations.ts';
import { Problem } from '../../api/problem.ts';
import styles from '../../components/sessions/sign-in.module.css';
import { ProblemNote } from '../../components/ui/problem-note.tsx';
import { AcceptForm } from './accept-form.tsx';

/** For whom was given the link of an invitation: who invites them, and the account that they make. */
export function InvitationPage() {
  // Undefined once the account is made, on the way to the first page.
  const token = useLocation({ select: ({ pathname, hash }) => (pathname.endsWith('/invitation') ? hash : undefined) });
  const {
    data: invitation,
    error,
    refetch,
  } = useQuery({
    queryKey: ['invitation', token],
    queryFn: token === undefined ? skipToken : () => readInvitation(token),
    retry: false,
    refetchOnWindowFocus: false,
  });
  const isRefused = error instanceof Problem && [401, 422].includes(error.status);
  return (
    <main className={styles.page}>
      <div className={styles.sheet}>
        <p className={styles.name}>
          <span className={styles.mark} aria-hidden />
          Gateway
        </p>
        {isRefused ? (
          <div className={styles.steps}>
            <h1>This invitation does not work</h1>
            <p>It was used or withdrawn, or has expired. Ask who invited you for a new link.</p>
            <p>
              If you have an account already, <Link to="/login">sign in</Link>.
            </p>
          </div>
        ) : (
          <>
            <h1>You are invited</h1>
            {error && <ProblemNote error={error} onRetry={() => void refetch()} />}
            {!invitation && !error && <p className="muted">Reading the invitation …</p>}
            {token !== undefined && invitation && <AcceptForm token={token} invitation={invitation} />}
          </>
        )}
      </div>
    </main>
  );
}
