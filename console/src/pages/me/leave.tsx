import { lazy, Suspense, useState } from 'react';
import { consolePath } from '../../api/base.ts';
import { deleteOwnAccount } from '../../api/me.ts';
import { forgetSignIn } from '../../api/session.ts';
import type { AdminUser } from '../../api/types.ts';
import { Button } from '../../components/ui/button.tsx';

const ConfirmDialog = lazy(() =>
  import('../../components/ui/confirm-dialog.tsx').then(({ ConfirmDialog }) => ({ default: ConfirmDialog })),
);

const goToLogin = (): void => {
  forgetSignIn();
  window.location.assign(`${consolePath}/login`);
};

/** Deletes the own account, after its effect was shown. The service keeps the last active owner. */
export function Leave({ user: { email } }: { user: AdminUser }) {
  const [isLeaving, setLeaving] = useState(false);
  return (
    <>
      <p>Your account ends. What you have done stays in the audit log, with your name.</p>
      <p>
        <Button look="danger" onClick={() => setLeaving(true)}>
          Leave and delete the account
        </Button>
      </p>
      <Suspense>
        {isLeaving && (
          <ConfirmDialog
            title="Leave, and delete your account?"
            action="Delete my account"
            isDangerous
            effects={[
              { what: 'Your sessions, this one too', before: 'valid', after: 'ended' },
              { what: 'Invitations that you have sent', before: 'open', after: 'ended' },
              { what: 'Your entries in the audit log', before: 'stored', after: 'stored, with your name' },
            ]}
            run={deleteOwnAccount}
            done="Your account was deleted"
            onClose={() => setLeaving(false)}
            onDone={goToLogin}
          >
            <p>You cannot sign in any more. {email} can be used for another account then.</p>
          </ConfirmDialog>
        )}
      </Suspense>
    </>
  );
}
