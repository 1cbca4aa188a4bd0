import { useState } from 'react';
import { useSession } from '../../api/session.ts';
import type { RegisteredWebhook } from '../../api/types.ts';
import { registerWebhook } from '../../api/webhooks.ts';
import { Button } from '../ui/button.tsx';
import { CheckList } from '../ui/check-list.tsx';
import { CopyBlock } from '../ui/copy-block.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { TextField } from '../ui/field.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { webhookEvents } from './webhook-events.ts';

/** A new webhook, and then its signing secret, which is shown once. */
export function RegisterWebhook({ teamId, onClose }: { teamId?: string; onClose: () => void }) {
  const isAdmin = useSession().kind === 'admin';
  const [registered, setRegistered] = useState<RegisteredWebhook>();
  const [team, setTeam] = useState(teamId ?? '');
  const [url, setUrl] = useState('');
  const [events, setEvents] = useState<string[]>(['job.completed', 'job.failed', 'job.cancelled']);
  const [authorization, setAuthorization] = useState('');
  if (registered)
    return (
      <Dialog title="The webhook is registered" onClose={onClose} isForced>
        <p>Events are signed with this secret. Store it now: this page shows it only once.</p>
        <CopyBlock text={registered.secret} label="Copy the secret" />
        <DialogActions>
          <Button look="primary" onClick={onClose}>
            I have stored the secret
          </Button>
        </DialogActions>
      </Dialog>
    );
  const body = {
    team_id: team.trim(),
    webhook_url: url.trim(),
    events,
    auth_header: authorization.trim() || undefined,
  };
  return (
    <FormDialog
      title="New webhook"
      action="Register the webhook"
      isComplete={body.team_id !== '' && body.webhook_url !== '' && events.length > 0}
      run={(key) => registerWebhook(body, key)}
      done="Registered the webhook"
      closesWhenDone={false}
      onDone={setRegistered}
      onClose={onClose}
    >
      {(problems) => (
        <>
          {isAdmin && (
            <TextField
              label="Team"
              required
              value={team}
              onChange={setTeam}
              hint="The id of the team whose jobs it is notified of"
              problem={problems.team_id}
            />
          )}
          <TextField
            label="Receiver"
            type="url"
            required
            maxLength={2_048}
            placeholder="https://"
            value={url}
            onChange={setUrl}
            hint="A public https or http address"
            problem={problems.webhook_url}
          />
          <CheckList label="Events" options={webhookEvents} values={events} onChange={setEvents} />
          <TextField
            label="Authorization header (optional)"
            type="password"
            autoComplete="off"
            value={authorization}
            onChange={setAuthorization}
            hint="Sent with each event, and not shown again"
            problem={problems.auth_header}
          />
        </>
      )}
    </FormDialog>
  );
}
