import type { System } from '../../api/types.ts';
import { Facts } from '../../components/ui/facts.tsx';
import { Time } from '../../components/ui/time.tsx';
import { formatCount } from '../../format/number.ts';

/** Shows for how long records are kept. */
export const RetentionFacts = ({ retention }: { retention: System['retention'] }) => (
  <Facts
    facts={[
      ['Prompts and answers', formatCount(retention.payload_days, 'day')],
      ['Oldest stored prompt', <Time key="oldest" at={retention.oldest_payload_at} missing="none is stored" />],
      ['Ended webhook deliveries', formatCount(retention.delivery_days, 'day')],
      ['Expired admin sessions', formatCount(retention.session_days, 'day')],
      ['Answers to an Idempotency-Key', formatCount(retention.idempotency_hours, 'hour')],
    ]}
  />
);
