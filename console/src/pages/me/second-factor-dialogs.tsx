import { useState } from 'react';
import { confirmSecondFactor, disableSecondFactor, startSecondFactor } from '../../api/me.ts';
import { queryClient } from '../../api/query-client.ts';
import { sessionQuery } from '../../api/session.ts';
import type { RecoveryCodes, StartedSecondFactor } from '../../api/types.ts';
import { CodeField } from '../../components/sessions/code-field.tsx';
import { Button } from '../../components/ui/button.tsx';
import { CopyBlock } from '../../components/ui/copy-block.tsx';
import { Dialog, DialogActions } from '../../components/ui/dialog.tsx';
import { TextField } from '../../components/ui/field.tsx';
import { FormDialog } from '../../components/ui/form-dialog.tsx';
import { QrCode } from '../../components/ui/qr-code.tsx';
import styles from './me.module.css';

const readSessionAgain = () => void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });

interface PasswordProps {
  value: string;
  problem: string | undefined;
  onChange: (value: string) => void;
}

const CurrentPassword = (props: PasswordProps) => (
  <TextField label="Current password" type="password" autoComplete="current-password" required {...props} />
);

/** The password, then the secret with its first code, then the recovery codes. */
export function EnableSecondFactor({ onClose }: { onClose: () => void }) {
  const [password, setPassword] = useState('');
  const [started, setStarted] = useState<StartedSecondFactor>();
  const [codes, setCodes] = useState<RecoveryCodes>();
  if (codes) return <StoreRecoveryCodes codes={codes.recovery_codes} onClose={onClose} />;
  if (started) return <ConfirmSecret {...started} onClose={onClose} onConfirmed={setCodes} />;
  return (
    <FormDialog
      key="password"
      title="Switch the second factor on"
      action="Go on"
      isComplete={password !== ''}
      run={() => startSecondFactor(password)}
      closesWhenDone={false}
      onDone={setStarted}
      onClose={onClose}
    >
      {(problems) => <CurrentPassword value={password} onChange={setPassword} problem={problems.current_password} />}
    </FormDialog>
  );
}

interface ConfirmSecretProps extends StartedSecondFactor {
  onClose: () => void;
  onConfirmed: (codes: RecoveryCodes) => void;
}

function ConfirmSecret({ secret, uri, onClose, onConfirmed }: ConfirmSecretProps) {
  const [code, setCode] = useState('');
  return (
    <FormDialog
      key="secret"
      title="Add it to your authenticator"
      action="Switch it on"
      isComplete={code.trim() !== ''}
      run={() => confirmSecondFactor(code)}
      closesWhenDone={false}
      onDone={onConfirmed}
      onClose={onClose}
    >
      {(problems) => (
        <>
          <p>Scan this with the authenticator, or type the secret beneath it. Then enter the code that it shows.</p>
          <QrCode text={uri} label="QR code of the secret" className={styles.qr} />
          <CopyBlock text={secret} label="Copy the secret" />
          <CodeField value={code} onChange={setCode} problem={problems.code} />
        </>
      )}
    </FormDialog>
  );
}

function StoreRecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const close = () => {
    onClose();
    readSessionAgain();
  };
  return (
    <Dialog key="codes" title="The second factor is on" isForced onClose={close}>
      <p>
        Without your authenticator, each of these recovery codes signs you in once. Store them now: this page shows them
        only once. Your other sessions have ended.
      </p>
      <CopyBlock text={codes.join('\n')} label="Copy the recovery codes" />
      <DialogActions>
        <Button look="primary" onClick={close}>
          I have stored the codes
        </Button>
      </DialogActions>
    </Dialog>
  );
}

export function DisableSecondFactor({ onClose }: { onClose: () => void }) {
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  return (
    <FormDialog
      title="Switch the second factor off"
      action="Switch it off"
      isDangerous
      isComplete={password !== '' && code.trim() !== ''}
      effects={[{ what: 'A sign-in needs', before: 'password and code', after: 'password' }]}
      run={() => disableSecondFactor(password, code)}
      done="The second factor is off"
      onClose={onClose}
      onDone={readSessionAgain}
    >
      {(problems) => (
        <>
          <CurrentPassword value={password} onChange={setPassword} problem={problems.current_password} />
          <CodeField value={code} onChange={setCode} problem={problems.code} />
        </>
      )}
    </FormDialog>
  );
}
