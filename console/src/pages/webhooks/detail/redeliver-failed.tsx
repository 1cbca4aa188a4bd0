import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { get } from '../../../api/request.ts';
import type { Deliveries, Webhook } from '../../../api/types.ts';
import { redeliverFailed } from '../../../api/webhooks.ts';
import { TextField } from '../../../components/ui/field.tsx';
import { FormDialog } from '../../../components/ui/form-dialog.tsx';
import { addToast } from '../../../components/ui/toast-queue.ts';
import { formatCount, formatNumber } from '../../../format/number.ts';
import { inputToIso, isoToInput } from '../../../format/zoned-input.ts';
import { useZone } from '../../../preferences/preferences.ts';

const dayMs = 86_400_000;

/** Sends again what has failed for good since a time, after showing how many that is. */
export function RedeliverFailed({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const zone = useZone();
  const { webhook_id } = webhook;
  const [text, setText] = useState(() =>
    isoToInput(webhook.failing_since ?? new Date(Date.now() - dayMs).toISOString(), zone),
  );
  const since = text && inputToIso(text, zone);
  const counted = useQuery({
    queryKey: ['deliveries', webhook_id, 'failed', since],
    queryFn: ({ signal }) =>
      get<Deliveries>('/api/deliveries', { webhook_id, status: 'exhausted', from: since, limit: 1 }, signal),
    enabled: since !== '',
  });
  const count = counted.data?.total ?? undefined;
  return (
    <FormDialog
      title="Resend failed deliveries"
      action={count === undefined ? 'Resend' : `Resend ${formatCount(count, 'delivery', 'deliveries')}`}
      isComplete={count !== undefined && count > 0}
      effects={[
        {
          what: 'Failed for good since then',
          before: count === undefined ? '…' : formatNumber(count),
          after: 'pending',
        },
        { what: 'Attempts at each', before: 'ended', after: 'its whole schedule again' },
      ]}
      run={(key) => redeliverFailed(webhook_id, since, key)}
      done="They are sent again"
      onDone={({ redelivered, remaining }) => {
        if (remaining > 0)
          addToast(`${formatNumber(redelivered)} are sent; repeat it for ${formatNumber(remaining)} more`);
      }}
      onClose={onClose}
    >
      {(problems) => (
        <TextField
          label="Events since"
          type="datetime-local"
          required
          value={text}
          onChange={setText}
          hint={`In the zone ${zone}. Each has the same body and webhook-id as before`}
          problem={problems.since ?? counted.error?.message}
        />
      )}
    </FormDialog>
  );
}
