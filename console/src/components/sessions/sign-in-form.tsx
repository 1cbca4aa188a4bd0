import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Problem } from '../../api/problem.ts';
import { type Credentials, signIn } from '../../api/session.ts';
import type { Session } from '../../api/types.ts';
import { Button } from '../ui/button.tsx';
import { FormProblem, TextField } from '../ui/field.tsx';
import { CodeField } from './code-field.tsx';
import styles from './sign-in.module.css';

interface SignInFormProps {
  kind: 'admin' | 'team';
  email?: string;
  onSignedIn: (session: Session) => void;
}

/** The password was right: what is missing is the code. */
const isAskedForCode = (error: Error | null): boolean =>
  error instanceof Problem && error.code === 'second_factor_required';

/** An admin's e-mail and password, and a code where the account needs one, or a team's virtual key. The key stays in this field: it is neither stored nor shown. */
export function SignInForm({ kind, email: known = '', onSignedIn }: SignInFormProps) {
  const [email, setEmail] = useState(known);
  const [password, setPassword] = useState('');
  const [key, setKey] = useState('');
  const [needsCode, setNeedsCode] = useState(false);
  const [code, setCode] = useState('');
  const mutation = useMutation({
    mutationFn: (credentials: Credentials) => signIn(credentials),
    onSuccess: (session) => {
      setPassword('');
      setKey('');
      setCode('');
      onSignedIn(session);
    },
    onError: (error) => {
      if (isAskedForCode(error)) setNeedsCode(true);
      setCode('');
    },
  });
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        mutation.mutate(
          kind === 'team' ? { virtual_key: key.trim() } : { email, password, ...(needsCode && { code }) },
        );
      }}
    >
      {kind === 'team' ? (
        <TextField
          label="Virtual key"
          type="password"
          name="virtual-key"
          autoComplete="off"
          required
          value={key}
          onChange={setKey}
          hint="It begins with sk-. A session with it reads, cancels and manages webhooks, and cannot spend."
        />
      ) : (
        <>
          <TextField
            label="E-mail"
            type="email"
            name="email"
            autoComplete="username"
            required
            value={email}
            onChange={setEmail}
          />
          <TextField
            label="Password"
            type="password"
            name="password"
            autoComplete="current-password"
            required
            // Who it is is known: only the password is missing.
            autoFocus={known !== ''}
            value={password}
            onChange={setPassword}
          />
          {needsCode && <CodeField autoFocus value={code} onChange={setCode} />}
        </>
      )}
      <FormProblem error={isAskedForCode(mutation.error) ? null : mutation.error} />
      <Button type="submit" look="primary" className={styles.submit} disabled={mutation.isPending}>
        {mutation.isPending ? 'Signing in …' : 'Sign in'}
      </Button>
    </form>
  );
}
