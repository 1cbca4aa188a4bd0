import { randomUUID } from 'node:crypto';

/** The messages of the signals to a job. */
export const call = (call_id: string) => ({ call_id, model_group: 'smart' });

export const completion = () => ({
  command_id: randomUUID(),
  status: 'completed' as const,
  metadata: null,
  error_message: null,
});

export const cancellation = (reason: string | null = null) => ({ command_id: randomUUID(), reason });
