import { useState } from 'react';
import type { Webhook } from '../../../api/types.ts';
import { updateWebhook } from '../../../api/webhooks.ts';
import { CheckList } from '../../../components/ui/check-list.tsx';
import { TextField } from '../../../components/ui/field.tsx';
import { FormDialog } from '../../../components/ui/form-dialog.tsx';
import { SelectField } from '../../../components/ui/select-field.tsx';
import { eventsOf } from '../../../components/webhooks/webhook-events.ts';

const originOf = (url: string): string | undefined => (URL.canParse(url) ? new URL(url).origin : undefined);

/** The header is a credential of the receiver: it is kept, replaced or removed, and never shown. */
export function EditWebhook({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const [url, setUrl] = useState(webhook.webhook_url);
  const [events, setEvents] = useState<string[]>(webhook.events);
  const [header, setHeader] = useState<'keep' | 'replace' | 'remove'>('keep');
  const [value, setValue] = useState('');
  const isMoved = originOf(url) !== originOf(webhook.webhook_url);
  const body = {
    webhook_url: url.trim() === webhook.webhook_url ? undefined : url.trim(),
    events,
    ...(header === 'replace' && { auth_header: value }),
    ...(header === 'remove' && { auth_header: null }),
  };
  return (
    <FormDialog
      title="Edit the webhook"
      action="Save"
      isComplete={url.trim() !== '' && events.length > 0 && (header !== 'replace' || value !== '')}
      run={() => updateWebhook(webhook.webhook_id, body)}
      done="Changed the webhook"
      onClose={onClose}
    >
      {(problems) => (
        <>
          <TextField
            label="Receiver"
            type="url"
            required
            maxLength={2_048}
            value={url}
            onChange={setUrl}
            hint={
              isMoved && webhook.auth_header
                ? 'Another receiver: the Authorization header is removed unless it is replaced'
                : 'A changed address begins a new count of failures'
            }
            problem={problems.webhook_url}
          />
          <CheckList label="Events" options={eventsOf(webhook.team_id)} values={events} onChange={setEvents} />
          <SelectField
            label="Authorization header"
            value={header}
            options={[
              { value: 'keep', label: webhook.auth_header ? 'Keep the current one' : 'Keep it without one' },
              { value: 'replace', label: webhook.auth_header ? 'Replace it' : 'Set one' },
              ...(webhook.auth_header ? [{ value: 'remove' as const, label: 'Remove it' }] : []),
            ]}
            onChange={setHeader}
          />
          {header === 'replace' && (
            <TextField
              label="New Authorization header"
              type="password"
              autoComplete="off"
              required
              value={value}
              onChange={setValue}
              problem={problems.auth_header}
            />
          )}
        </>
      )}
    </FormDialog>
  );
}
