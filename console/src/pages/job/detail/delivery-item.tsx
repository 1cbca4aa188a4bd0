import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { deliveryQuery } from '../../../api/webhooks.ts';
import { Id } from '../../../components/id.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { DeliveryContent } from '../../webhook/delivery-content.tsx';
import { SendAgain } from '../../webhook/delivery-detail.tsx';
import styles from './detail.module.css';

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
