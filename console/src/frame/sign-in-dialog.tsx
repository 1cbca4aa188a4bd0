import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { sessionQuery, useSession } from '../api/session.ts';
import { Button } from '../components/button.tsx';
import { Dialog, DialogActions } from '../components/dialog.tsx';
import { SignInForm } from '../pages/login/sign-in-form.tsx';

/** Over the page when the session has ended: the page and what was typed into it stay. */
export function SignInDialog() {
  const cache = useQueryClient();
  const before = useSession();
  const [isOther, setOther] = useState(false);
  return (
    <Dialog title="Your session has ended" isForced onClose={() => undefined}>
      <p className="muted">Sign in again to go on. What you have entered stays.</p>
      <SignInForm
        kind={before.kind}
        email={before.user?.email}
        onSignedIn={(session) => {
          const isSame =
            session.user?.user_id === before.user?.user_id && session.team?.team_id === before.team?.team_id;
          cache.setQueryData(sessionQuery.queryKey, session);
          if (isSame) void cache.invalidateQueries();
          else window.location.reload();
          setOther(!isSame);
        }}
      />
      {isOther && <p role="status">Somebody else has signed in: the page is loaded again.</p>}
      <DialogActions>
        <Button look="quiet" onClick={() => window.location.reload()}>
          Leave this page
        </Button>
      </DialogActions>
    </Dialog>
  );
}
