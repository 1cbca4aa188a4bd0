import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { pagesPath } from '../../api/base.ts';
import { sessionQuery } from '../../api/session.ts';
import styles from '../../components/sessions/sign-in.module.css';
import { SignInForm } from '../../components/sessions/sign-in-form.tsx';
import { Tabs } from '../../components/ui/tabs.tsx';

const route = getRouteApi('/login');

/** Whether it is an address of this console: a link to the login page could name any other one. */
const isOwnAddress = (next: string | undefined): next is string => next !== undefined && /^\/(?!\/)/.test(next);

export function LoginPage() {
  const { next, as } = route.useSearch();
  const router = useRouter();
  const cache = useQueryClient();
  const [kind, setKind] = useState<'admin' | 'team'>(as ?? 'admin');
  const form = (of: 'admin' | 'team') => (
    <SignInForm
      kind={of}
      onSignedIn={(session) => {
        cache.clear();
        cache.setQueryData(sessionQuery.queryKey, session);
        if (isOwnAddress(next)) router.history.push(next.startsWith(pagesPath) ? next : pagesPath + next);
        else void router.navigate({ to: '/' });
      }}
    />
  );
  return (
    <main className={styles.page}>
      <div className={styles.sheet}>
        <p className={styles.name}>
          <span className={styles.mark} aria-hidden />
          Gateway
        </p>
        <h1>Sign in</h1>
        <Tabs
          label="Who signs in"
          value={kind}
          onChange={setKind}
          tabs={[
            { value: 'admin', label: 'Admin', content: form('admin') },
            { value: 'team', label: 'Team', content: form('team') },
          ]}
        />
      </div>
    </main>
  );
}
