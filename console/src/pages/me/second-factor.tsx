import { lazy, Suspense, useState } from 'react';
import { Button } from '../../components/ui/button.tsx';
import { Status } from '../../components/ui/status.tsx';

const Enable = lazy(() => import('./second-factor-dialogs.tsx').then((all) => ({ default: all.EnableSecondFactor })));
const Disable = lazy(() => import('./second-factor-dialogs.tsx').then((all) => ({ default: all.DisableSecondFactor })));

/** Whether a sign-in to the own account needs a code, and the way to change that. */
export function SecondFactor({ isOn }: { isOn: boolean }) {
  const [open, setOpen] = useState<'enable' | 'disable'>();
  const close = () => setOpen(undefined);
  return (
    <>
      <p>
        <Status of={isOn ? 'active' : 'inactive'} />
      </p>
      <p className="muted">
        {isOn
          ? 'A sign-in needs a code of your authenticator, or a recovery code, beside the password.'
          : 'With it, a sign-in also needs a code of an authenticator: an app on your phone, or a password manager.'}
      </p>
      <p>
        <Button onClick={() => setOpen(isOn ? 'disable' : 'enable')}>{isOn ? 'Switch it off' : 'Switch it on'}</Button>
      </p>
      <Suspense>
        {open === 'enable' && <Enable onClose={close} />}
        {open === 'disable' && <Disable onClose={close} />}
      </Suspense>
    </>
  );
}
