import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { consolePath, pagesPath } from '../../api/base.ts';
import { get } from '../../api/request.ts';
import { noteSignIn, sessionQuery } from '../../api/session.ts';
import type { Session } from '../../api/types.ts';
import { OidcLink } from '../../components/sessions/oidc-link.tsx';
import { oidcRefusal } from '../../components/sessions/oidc-refusal.ts';
import styles from '../../components/sessions/sign-in.module.css';
import { SignInForm } from '../../components/sessions/sign-in-form.tsx';
import { FormProblem } from '../../components/ui/field.tsx';
import { Tabs } from '../../components/ui/tabs.tsx';

const route = getRouteApi('/login');

/** Whether it is an address of this console: a link to the login page could name any other one. */
const isOwnAddress = (next: string | undefined): next is string => next !== undefined && /^\/(?![/\\])/.test(next);

/** Calls back with the session that a sign-in at the identity provider has opened for this browser; returns whether that is awaited. */
function useArrival(isArrival: boolean, onSignedIn: (session: Session) => void): boolean {
  const [isAwaited, setAwaited] = useState(isArrival);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page is opened
  useEffect(() => {
    if (!isArrival) return;
    get<Session>('/api/session').then(
      (session) => {
        noteSignIn();
        onSignedIn(session);
      },
      () => setAwaited(false),
    );
  }, []);
  return isAwaited;
}

export function LoginPage() {
  const { next, as, refused, done } = route.useSearch();
  const router = useRouter();
  const cache = useQueryClient();
  const [kind, setKind] = useState<'admin' | 'team'>(as ?? 'admin');
  const open = (session: Session) => {
    cache.clear();
    cache.setQueryData(sessionQuery.queryKey, session);
    if (isOwnAddress(next)) router.history.push(next.startsWith(consolePath) ? next : pagesPath + next);
    else void router.navigate({ to: '/' });
  };
  const isArriving = useArrival(done !== undefined, open);
  const form = (of: 'admin' | 'team') => <SignInForm kind={of} onSignedIn={open} />;
  return (
    <main className={styles.page}>
      <div className={styles.sheet}>
        <p className={styles.name}>
          <span className={styles.mark} aria-hidden />
          Gateway
        </p>
        <h1>Sign in</h1>
        {refused && <FormProblem error={new Error(oidcRefusal(refused))} />}
        {isArriving ? (
          <p role="status">Signing in …</p>
        ) : (
          <Tabs
            label="Who signs in"
            value={kind}
            onChange={setKind}
            tabs={[
              {
                value: 'admin',
                label: 'Admin',
                content: (
                  <>
                    {form('admin')}
                    <OidcLink next={next} />
                  </>
                ),
              },
              { value: 'team', label: 'Team', content: form('team') },
            ]}
          />
        )}
      </div>
    </main>
  );
}
