import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { deliveryQuery } from '../../../../api/webhooks.ts';
import { Id } from '../../../../components/ui/id.tsx';
import { ProblemNote } from '../../../../components/ui/problem-note.tsx';
import { DeliveryContent } from '../../../../components/webhooks/delivery-content.tsx';
import { SendAgain } from '../../../../components/webhooks/delivery-panel.tsx';
import styles from './item.module.css';

/** A delivery with what each attempt was answered. */
export function DeliveryItem({ deliveryId }: { deliveryId: string }) {
  const { data, error, refetch } = useQuery(deliveryQuery(deliveryId));
  return (
    <>
      <h2 className={styles.title}>
        Webhook delivery <Id id={deliveryId} />
        {data && (
          <>
            <Link to="/webhooks/$webhookId" params={{ webhookId: data.webhook_id }} className={styles.webhook}>
              Its webhook
            </Link>
            <SendAgain delivery={data} />
          </>
        )}
      </h2>
      {error && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {data ? (
        <div className={styles.delivery}>
          <DeliveryContent delivery={data} />
        </div>
      ) : (
        !error && <p className="muted">Loading the delivery …</p>
      )}
    </>
  );
}
