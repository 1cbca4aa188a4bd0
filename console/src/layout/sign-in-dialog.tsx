import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { resumeAs, useSession } from '../api/session.ts';
import type { SessionEnd } from '../api/session-end.ts';
import { OidcLink } from '../components/sessions/oidc-link.tsx';
import { SignInForm } from '../components/sessions/sign-in-form.tsx';
import { Button } from '../components/ui/button.tsx';
import { Dialog, DialogActions } from '../components/ui/dialog.tsx';
import { formatDuration } from '../format/time.ts';

/** The dialog over a page that is locked or whose session has ended. The page and what was typed into it stay, hidden until the sign-in. */
export function SignInDialog({ why }: { why: SessionEnd }) {
  const cache = useQueryClient();
  const before = useSession();
  const [isOther, setOther] = useState(false);
  return (
    <Dialog title={why === 'idle' ? 'Locked' : 'Your session has ended'} isForced hidesPage onClose={() => undefined}>
      <p className="muted">
        {why === 'idle' &&
          `Nobody has used the console here for ${formatDuration(before.idle_timeout_seconds * 1_000)}. `}
        Sign in again to go on. What you have entered stays.
      </p>
      {(before.viewer ?? before.user)?.signs_in_by === 'oidc' ? (
        <OidcLink next="/me" isApart />
      ) : (
        <SignInForm
          kind={before.viewer ? 'admin' : before.kind}
          email={(before.viewer ?? before.user)?.email}
          onSignedIn={(session) => setOther(resumeAs(cache, before, session))}
        />
      )}
      {isOther && <p role="status">Somebody else has signed in: the page is loaded again.</p>}
      <DialogActions>
        <Button look="quiet" onClick={() => window.location.reload()}>
          Leave this page
        </Button>
      </DialogActions>
    </Dialog>
  );
}
