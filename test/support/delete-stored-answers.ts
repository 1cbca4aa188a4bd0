import type { Gateway } from './gateway.ts';

/** Leaves the state of a process that died after the effect of a request and before it stored the answer. */
export const deleteStoredAnswers = ({ deps }: Gateway) =>
  deps.database.pool.query(
    'update idempotency_keys set status = null, headers = null, answer_sealed = null, locked_until = null',
  );
