import { X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { JobTimeline } from '../../../../api/types.ts';
import { Button } from '../../../../components/ui/button.tsx';
import { Facts } from '../../../../components/ui/facts.tsx';
import { Id } from '../../../../components/ui/id.tsx';
import { Status } from '../../../../components/ui/status.tsx';
import { Time } from '../../../../components/ui/time.tsx';
import { useFocusReturn } from '../../../../components/ui/use-focus-return.ts';
import { actionSentence } from '../../../../format/audit.ts';
import { formatNumber } from '../../../../format/number.ts';
import { type Item, toItems } from '../timeline/items.ts';
import { CallDetail } from './call-detail.tsx';
import type { CallTab } from './call-tabs.ts';
import { DeliveryItem } from './delivery-item.tsx';
import styles from './item.module.css';
import { JsonBlock } from './json-block.tsx';

interface ItemDetailProps {
  timeline: JobTimeline;
  id: string;
  tab?: CallTab;
  onTab: (tab: CallTab) => void;
  onClose: () => void;
}

/** The selected item of the timeline. */
export function ItemDetail({ timeline, id, tab, onTab, onClose }: ItemDetailProps) {
  const section = useRef<HTMLElement>(null);
  useFocusReturn(section, () => findRow(id));
  // biome-ignore lint/correctness/useExhaustiveDependencies: brought into view for each item that is selected
  useEffect(() => {
    section.current?.scrollIntoView({ block: 'nearest' });
  }, [id]);
  const item = toItems(timeline, Date.now()).find((one) => one.id === id);
  return (
    <section ref={section} className={styles.detail} aria-label="Selected item">
      <Button look="quiet" icon={X} aria-label="Close" className={styles.close} onClick={onClose} />
      {!item && <p className="muted">This job has no item with the id {id}.</p>}
      {item?.kind === 'call' ? (
        <CallDetail jobId={timeline.job.job_id} call={item.call} tab={tab ?? 'summary'} onTab={onTab} />
      ) : (
        item && <OtherDetail item={item} />
      )}
    </section>
  );
}

/** The row of the item that is selected now, or else of this one. */
const findRow = (id: string): HTMLElement | null =>
  document.querySelector<HTMLElement>('[data-item][aria-current="true"]') ??
  document.querySelector<HTMLElement>(`[data-item="${CSS.escape(id)}"]`);

function OtherDetail({ item }: { item: Exclude<Item, { kind: 'call' }> }) {
  switch (item.kind) {
    case 'end':
      return (
        <Facts
          facts={[
            ['Ended', <Time key="at" at={item.job.completed_at} />],
            ['Status', <Status key="status" of={item.job.status} />],
            ['Error', item.job.error_message],
          ]}
        />
      );
    case 'transaction':
      return (
        <Facts
          facts={[
            ['Ledger row', <Id key="id" id={item.id} whole />],
            ['Type', item.transaction.transaction_type],
            ['Credits', item.transaction.credits_amount],
            ['Balance before', item.transaction.credits_before],
            ['Balance after', item.transaction.credits_after],
            ['Reason', item.transaction.reason],
            ['Time', <Time key="at" at={item.transaction.created_at} />],
          ]}
        />
      );
    case 'delivery':
      return <DeliveryItem key={item.id} delivery={item.delivery} />;
    case 'audit':
      return (
        <>
          <Facts
            facts={[
              ['Action', actionSentence(item.entry.action)],
              ['Admin', item.entry.user_id && <Id key="user" id={item.entry.user_id} whole />],
              ['Address', item.entry.ip_address],
              [item.entry.times > 1 ? 'Last time' : 'Time', <Time key="at" at={item.entry.created_at} />],
              ['Times', item.entry.times > 1 ? formatNumber(item.entry.times) : undefined],
            ]}
          />
          <JsonBlock value={item.entry.details} />
        </>
      );
  }
}
