import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Problem } from '../../api/problem.ts';
import { request } from '../../api/request.ts';
import { sessionQuery, setupQuery, signIn } from '../../api/session.ts';
import { OidcLink } from '../../components/sessions/oidc-link.tsx';
import styles from '../../components/sessions/sign-in.module.css';
import { Button } from '../../components/ui/button.tsx';
import { FormProblem } from '../../components/ui/field.tsx';
import { ProblemNote } from '../../components/ui/problem-note.tsx';
import { AccountFields, accountBody, noAccount } from '../../components/users/account-fields.tsx';
import { SetupByKey, SetupIsOff } from './protected-setup.tsx';

/** Creates the first owner. It is offered once, and to whom the setting SETUP allows it. */
export function SetupPage() {
  const { data: setup, error, refetch } = useQuery(setupQuery);
  return (
    <main className={styles.page}>
      <div className={styles.sheet}>
        <h1>Set up the gateway</h1>
        {setup && !setup.needs_setup ? (
          <p>
            There is an owner already. <Link to="/login">Sign in</Link>
          </p>
        ) : (
          <>
            {setup?.setup === 'master-key' && <SetupByKey />}
            {setup?.setup === 'off' && <SetupIsOff />}
            {setup && !setup.setup && <SetupForm />}
            <OidcLink />
            {error && <ProblemNote error={error} onRetry={() => void refetch()} />}
            <p className={styles.other}>
              A team with a virtual key{' '}
              <Link to="/login" search={{ as: 'team' }}>
                signs in here
              </Link>
            </p>
          </>
        )}
      </div>
    </main>
  );
}

function SetupForm() {
  const cache = useQueryClient();
  const navigate = useNavigate();
  const [draft, setDraft] = useState(noAccount);
  const mutation = useMutation({
    mutationFn: async () => {
      const account = accountBody(draft);
      await request('POST', '/api/admin-users/setup', { body: account });
      return signIn({ email: account.email, password: account.password });
    },
    onSuccess: (session) => {
      cache.clear();
      cache.setQueryData(sessionQuery.queryKey, session);
      void navigate({ to: '/' });
    },
  });
  const fields = mutation.error instanceof Problem ? mutation.error.fields : {};
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        mutation.mutate();
      }}
    >
      <p className="muted">The first account is the owner: it manages every other one.</p>
      <AccountFields draft={draft} onChange={setDraft} problems={fields} isOwn />
      <FormProblem error={mutation.error} />
      <Button type="submit" look="primary" className={styles.submit} disabled={mutation.isPending}>
        Create the owner
      </Button>
    </form>
  );
}
