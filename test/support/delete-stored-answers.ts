import type { Gateway } from './gateway.ts';

/** As if the process had died between what it did and keeping the answer to it. */
export const deleteStoredAnswers = ({ deps }: Gateway) =>
  deps.database.pool.query(
    'update idempotency_keys set status = null, headers = null, answer_sealed = null, locked_until = null',
  );
