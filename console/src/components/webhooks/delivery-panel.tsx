import { useMutation, useQuery } from '@tanstack/react-query';
import { RotateCw, X } from 'lucide-react';
import { redeliver } from '../../api/jobs.ts';
import { useMay } from '../../api/session.ts';
import type { DeliveryOfTeam } from '../../api/types.ts';
import { deliveryQuery } from '../../api/webhooks.ts';
import { Button } from '../ui/button.tsx';
import { Id } from '../ui/id.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { addToast } from '../ui/toast-queue.ts';
import { useRefreshAll } from '../ui/use-refresh-all.ts';
import { DeliveryContent } from './delivery-content.tsx';
import styles from './delivery-panel.module.css';

interface DeliveryPanelProps {
  deliveryId: string;
  onClose: () => void;
}

/** What was sent, how it was signed, and what each attempt was answered. */
export function DeliveryPanel({ deliveryId, onClose }: DeliveryPanelProps) {
  const { data, error, refetch } = useQuery(deliveryQuery(deliveryId));
  return (
    <section className={styles.detail} aria-label="Delivery">
      <header className={styles.head}>
        <Id id={deliveryId} whole />
        <span>
          {data && <SendAgain delivery={data} />}
          <Button look="quiet" icon={X} aria-label="Close" onClick={onClose} />
        </span>
      </header>
      {error && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {data && <DeliveryContent delivery={data} />}
    </section>
  );
}

interface SendAgainProps {
  delivery: Pick<DeliveryOfTeam, 'delivery_id' | 'status'>;
  look?: 'quiet';
}

export function SendAgain({ delivery: { delivery_id, status }, look }: SendAgainProps) {
  const mayWrite = useMay('webhooks:write');
  const refresh = useRefreshAll();
  const mutation = useMutation({
    mutationFn: () => redeliver(delivery_id),
    onSuccess: () => {
      addToast('The event is sent again');
      refresh();
    },
    onError: (error) => addToast(error.message),
  });
  if (!mayWrite) return null;
  return (
    <Button
      look={look}
      icon={RotateCw}
      disabled={mutation.isPending}
      unavailable={status === 'pending' && 'Attempts are still to come'}
      onClick={() => mutation.mutate()}
    >
      Resend
    </Button>
  );
}
