import { useNavigate } from '@tanstack/react-router';
import { Pencil, Power, RotateCw, Send, Trash2 } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useMay } from '../../../api/session.ts';
import type { Webhook } from '../../../api/types.ts';
import { deleteWebhook, testWebhook, updateWebhook } from '../../../api/webhooks.ts';
import { Button } from '../../../components/ui/button.tsx';
import { ConfirmDialog } from '../../../components/ui/confirm-dialog.tsx';
import { useRefreshAll } from '../../../components/ui/use-refresh-all.ts';

const EditWebhook = lazy(() => import('./edit-webhook.tsx').then(({ EditWebhook }) => ({ default: EditWebhook })));
const RedeliverFailed = lazy(() =>
  import('./redeliver-failed.tsx').then(({ RedeliverFailed }) => ({ default: RedeliverFailed })),
);

type DialogName = 'test' | 'redeliver' | 'edit' | 'switch' | 'delete';

export function WebhookActions({ webhook }: { webhook: Webhook }) {
  const [dialog, setDialog] = useState<DialogName>();
  const mayWrite = useMay('webhooks:write');
  const refresh = useRefreshAll();
  const navigate = useNavigate();
  const close = () => setDialog(undefined);
  const isOn = webhook.is_active === 1;
  const { webhook_id, webhook_url } = webhook;
  const off = !isOn && 'The webhook is switched off';
  if (!mayWrite) return null;
  return (
    <>
      <Button icon={Send} unavailable={off} onClick={() => setDialog('test')}>
        Test
      </Button>
      <Button icon={RotateCw} unavailable={off} onClick={() => setDialog('redeliver')}>
        Resend failed
      </Button>
      <Button icon={Pencil} onClick={() => setDialog('edit')}>
        Edit
      </Button>
      <Button icon={Power} onClick={() => setDialog('switch')}>
        Switch {isOn ? 'off' : 'on'}
      </Button>
      <Button look="danger" icon={Trash2} onClick={() => setDialog('delete')}>
        Delete
      </Button>
      {dialog === 'test' && (
        <ConfirmDialog
          title="Send a test event?"
          action="Send it"
          run={(_, key) => testWebhook(webhook_id, key)}
          done="The event webhook.test is sent"
          onClose={close}
          onDone={refresh}
        >
          <p>
            The event <code>webhook.test</code>, signed like any other, goes to {webhook_url}. Its answer is among the
            deliveries.
          </p>
        </ConfirmDialog>
      )}
      <Suspense>
        {dialog === 'redeliver' && <RedeliverFailed webhook={webhook} onClose={close} />}
        {dialog === 'edit' && <EditWebhook webhook={webhook} onClose={close} />}
      </Suspense>
      {dialog === 'switch' && (
        <ConfirmDialog
          title={`Switch the webhook ${isOn ? 'off' : 'on'}?`}
          action={`Switch it ${isOn ? 'off' : 'on'}`}
          isDangerous={isOn}
          effects={[
            { what: 'New events', before: isOn ? 'sent' : 'not sent', after: isOn ? 'not sent' : 'sent' },
            ...(isOn ? [] : [{ what: 'Count of failures', before: 'as it is', after: 'begins anew' }]),
          ]}
          run={() => updateWebhook(webhook_id, { is_active: isOn ? 0 : 1 })}
          done={`The webhook is switched ${isOn ? 'off' : 'on'}`}
          onClose={close}
          onDone={refresh}
        />
      )}
      {dialog === 'delete' && (
        <ConfirmDialog
          title="Delete this webhook?"
          action="Delete the webhook"
          isDangerous
          effects={[
            { what: 'New events', before: isOn ? 'sent' : 'not sent', after: 'not sent' },
            { what: 'Its deliveries', before: 'stored', after: 'deleted' },
          ]}
          run={() => deleteWebhook(webhook_id)}
          done="The webhook is deleted"
          onClose={close}
          onDone={() => void navigate({ to: '/webhooks' })}
        >
          <p>{webhook_url}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
