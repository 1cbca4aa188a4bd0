import { z } from 'zod';

const state = z.enum(['up', 'down']);

/** `spec 14.1` */
export const HealthAnswer = z
  .object({
    status: z.enum(['healthy', 'degraded']),
    service: z.literal('job-gateway'),
    version: z.string(),
    dependencies: z.object({ database: state, redis: state, temporal: state, worker: state }),
  })
  .meta({ id: 'Health' });
