import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { sessionQuery } from '../../api/session.ts';
import { OidcLink } from '../../components/sessions/oidc-link.tsx';
import { oidcRefusal } from '../../components/sessions/oidc-refusal.ts';
import styles from '../../components/sessions/sign-in.module.css';
import { SignInForm } from '../../components/sessions/sign-in-form.tsx';
import { FormProblem } from '../../components/ui/field.tsx';
import { Tabs } from '../../components/ui/tabs.tsx';
import { pageAfterSignIn } from './page-after-sign-in.ts';

const route = getRouteApi('/login');

export function LoginPage() {
  const { next, as, refused } = route.useSearch();
  const router = useRouter();
  const cache = useQueryClient();
  const [kind, setKind] = useState<'admin' | 'team'>(as ?? 'admin');
  const form = (of: 'admin' | 'team') => (
    <SignInForm
      kind={of}
      onSignedIn={(session) => {
        cache.clear();
        cache.setQueryData(sessionQuery.queryKey, session);
        router.history.push(pageAfterSignIn(next));
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
        {refused && <FormProblem error={new Error(oidcRefusal(refused))} />}
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
      </div>
    </main>
  );
}
