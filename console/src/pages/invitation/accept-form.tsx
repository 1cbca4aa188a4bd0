import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { acceptInvitation } from '../../api/invitations.ts';
import { Problem } from '../../api/problem.ts';
import { sessionQuery } from '../../api/session.ts';
import type { OpenInvitation } from '../../api/types.ts';
import styles from '../../components/sessions/sign-in.module.css';
import { Button } from '../../components/ui/button.tsx';
import { FormProblem, TextField } from '../../components/ui/field.tsx';
import { Time } from '../../components/ui/time.tsx';
import { roleHints } from '../../components/users/roles.ts';

interface AcceptFormProps {
  token: string;
  invitation: OpenInvitation;
}

/** The name and the password of the new account, whose e-mail and role are those of the invitation. */
export function AcceptForm({ token, invitation: { email, role, invited_by_name, expires_at } }: AcceptFormProps) {
  const cache = useQueryClient();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const mutation = useMutation({
    mutationFn: () => acceptInvitation({ token, display_name: name.trim(), password }),
    onSuccess: (session) => {
      cache.clear();
      cache.setQueryData(sessionQuery.queryKey, session);
      void navigate({ to: '/', replace: true });
    },
  });
  const problems = mutation.error instanceof Problem ? mutation.error.fields : {};
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        mutation.mutate();
      }}
    >
      <p className={styles.lead}>
        <strong>{invited_by_name}</strong> gives you an account of the role <strong>{role}</strong>:{' '}
        {roleHints[role].toLowerCase()}. The link works once, until <Time at={expires_at} />.
      </p>
      <TextField
        label="E-mail"
        type="email"
        name="email"
        autoComplete="username"
        readOnly
        value={email}
        onChange={() => undefined}
      />
      <TextField
        label="Your name"
        name="name"
        autoComplete="name"
        required
        maxLength={255}
        autoFocus
        value={name}
        onChange={setName}
        problem={problems.display_name}
      />
      <TextField
        label="Password"
        type="password"
        name="password"
        autoComplete="new-password"
        required
        minLength={8}
        value={password}
        onChange={setPassword}
        hint="At least 8 characters"
        problem={problems.password}
      />
      <FormProblem error={mutation.error} />
      <Button type="submit" look="primary" className={styles.submit} disabled={mutation.isPending}>
        {mutation.isPending ? 'Creating …' : 'Create the account'}
      </Button>
    </form>
  );
}
