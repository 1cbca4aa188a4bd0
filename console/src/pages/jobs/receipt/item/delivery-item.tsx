import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Delivery } from '../../../../api/types.ts';
import { deliveryQuery } from '../../../../api/webhooks.ts';
import { Id } from '../../../../components/ui/id.tsx';
import { ProblemNote } from '../../../../components/ui/problem-note.tsx';
import { DeliveryContent } from '../../../../components/webhooks/delivery-content.tsx';
import { SendAgain } from '../../../../components/webhooks/delivery-panel.tsx';
import styles from './item.module.css';

/** A delivery with what each attempt was answered, read again when the timeline has another state of it. */
export function DeliveryItem({ delivery: { delivery_id: deliveryId, status, attempts } }: { delivery: Delivery }) {
  const query = deliveryQuery(deliveryId, `${status} ${attempts}`);
  const { data, error, refetch } = useQuery({ ...query, placeholderData: keepPreviousData });
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
