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
import { SelectField } from '../ui/select-field.tsx';
import { attentionEvents, eventsOf } from './webhook-events.ts';

interface RegisterWebhookProps {
  /** The team that the page is about. */
  teamId?: string;
  /** The page is about webhooks of the installation. */
  ofInstallation?: boolean;
  onClose: () => void;
}

/** Those that most receivers want. */
const usual = {
  team: ['job.completed', 'job.failed', 'job.cancelled'],
  platform: [...attentionEvents] as string[],
};

/** A new webhook, and then its signing secret, which is shown once. */
export function RegisterWebhook({ teamId, ofInstallation = false, onClose }: RegisterWebhookProps) {
  const isAdmin = useSession().kind === 'admin';
  const [registered, setRegistered] = useState<RegisteredWebhook>();
  const [team, setTeam] = useState(teamId ?? '');
  const [scope, setScope] = useState<keyof typeof usual>(ofInstallation && !teamId ? 'platform' : 'team');
  const [url, setUrl] = useState('');
  const [events, setEvents] = useState(usual[scope]);
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
    team_id: scope === 'platform' ? null : team.trim(),
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
          {isAdmin && !teamId && (
            <SelectField
              label="Webhook of"
              value={scope}
              options={[
                { value: 'team', label: 'A team' },
                { value: 'platform', label: 'The installation' },
              ]}
              onChange={(next) => {
                setScope(next);
                setEvents(usual[next]);
              }}
              hint={
                scope === 'platform'
                  ? 'It is notified of what needs attention, such as a team without credits'
                  : 'It is notified of jobs and credits'
              }
            />
          )}
          {isAdmin && scope === 'team' && (
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
          <CheckList label="Events" options={eventsOf(body.team_id)} values={events} onChange={setEvents} />
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
