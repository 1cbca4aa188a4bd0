import { Send } from 'lucide-react';
import { useState } from 'react';
import { useMay } from '../../../api/session.ts';
import { redeliverMatching } from '../../../api/webhooks.ts';
import { Button } from '../../../components/ui/button.tsx';
import { ConfirmDialog } from '../../../components/ui/confirm-dialog.tsx';
import { formatCount } from '../../../format/number.ts';

interface ResendMatchingProps {
  /** The filter of the list: exactly these are sent. */
  filter: { status: 'exhausted' | 'pending' } & Record<string, string | undefined>;
  /** How many match; not known yet, where it is not counted. */
  total: number | null | undefined;
}

/** Sends every delivery that matches again, after showing how many these are. */
export function ResendMatching({ filter, total }: ResendMatchingProps) {
  const mayWrite = useMay('webhooks:write');
  const [chosen, setChosen] = useState<{ filter: ResendMatchingProps['filter']; count: number }>();
  if (!mayWrite || typeof total !== 'number') return null;
  const what = (count: number) => formatCount(count, 'delivery', 'deliveries');
  return (
    <>
      <Button
        icon={Send}
        unavailable={total === 0 && 'None matches'}
        onClick={() => setChosen({ filter: { ...filter, to: filter.to ?? new Date().toISOString() }, count: total })}
      >
        Resend {what(total)}
      </Button>
      {chosen && (
        <ConfirmDialog
          title={`Resend all ${what(chosen.count)} that match?`}
          action={`Resend ${what(chosen.count)}`}
          effects={[
            chosen.filter.status === 'exhausted'
              ? { what: 'Failed for good', before: chosen.count, after: 'pending, with the whole schedule again' }
              : { what: 'Wait for a further attempt', before: chosen.count, after: 'attempted now' },
          ]}
          run={(_, key) => redeliverMatching(chosen.filter, key)}
          done={({ redelivered }) => `${what(redelivered)} sent again`}
          onClose={() => setChosen(undefined)}
        >
          <p>
            Each has the same body and webhook-id as before. What waits and had its last attempt within a minute is left
            alone.
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}
