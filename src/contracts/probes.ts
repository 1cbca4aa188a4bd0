import { z } from 'zod';
import { namedEnum, text } from './fields.ts';

const state = namedEnum('DependencyState', ['up', 'down']);

const dependencies = z.object({
  database: state.describe('PostgreSQL: without it, requests of teams and admins are answered with 503'),
  redis: state.describe('Redis: without it, streams are not live, and each process counts rate limits on its own'),
  temporal: state.describe('The Temporal server: without it, no job can be created and no call made'),
  upstream: namedEnum('SystemState', ['up', 'down', 'unknown']).describe(
    'The model provider: without it, calls fail. It decides neither `status` nor readiness, because it is not part of the service. `unknown`: not asked yet, or it has no list of models',
  ),
  worker: state.describe('The worker processes: `up` while at least one is running'),
});

const service = z.literal('job-gateway').describe('Name of the service');
const version = text('Version of the service', '0.2.0');

/** `spec 14.3` */
export const LivenessResponse = z
  .object({ status: z.literal('live').describe('The process answers'), service, version })
  .meta({ id: 'Liveness' });

/** `spec 14.1` */
export const HealthResponse = z
  .object({
    status: namedEnum('HealthStatus', ['healthy', 'degraded']).describe(
      '`healthy` while every dependency but the upstream is up',
    ),
    service,
    version,
    dependencies: dependencies.describe('What the service needs, as this process last saw it'),
  })
  .meta({ id: 'Health' });
