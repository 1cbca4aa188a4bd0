import { z } from 'zod';

const state = z.enum(['up', 'down']);

/** `rulings.md` 14 */
export const HealthAnswer = z
  .object({
    status: z.enum(['healthy', 'degraded']),
    service: z.literal('job-gateway'),
    version: z.string(),
    dependencies: z.object({ database: state, redis: state, temporal: state, worker: state }),
  })
  .meta({ id: 'Health' });
