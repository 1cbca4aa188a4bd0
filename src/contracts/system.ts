import { z } from 'zod';
import { namedEnum, text, timestamp } from './fields.ts';

/** `spec 19.50` and `spec 19.51` */

const state = namedEnum('SystemState', ['up', 'down', 'unknown']);
const Dependency = z
  .object({
    status: state.describe('`unknown`: nothing has shown it yet'),
    latency_ms: z.number().nullable().describe('How long its last answer took, in milliseconds; null without one'),
  })
  .meta({ id: 'SystemDependency' });
const dependency = (meaning: string) => Dependency.describe(meaning);

const worker = z
  .object({
    worker_id: z.string().describe('Id of the process, new with each start'),
    task_queue: z.string().describe('Task queue in Temporal that it works on'),
    version: z.string().describe('Version of the service that it runs'),
    started_at: timestamp('When it started'),
    seen_at: timestamp('Its last heartbeat'),
    is_live: z.boolean().describe('Whether its heartbeat is less than two seconds old'),
  })
  .meta({ id: 'Worker' });
const workers = z.array(worker).describe('Workers of the last hour, live ones first, at most 200');

const depths = {
  queued_calls: z.int().describe('Calls that wait for a worker'),
  running_calls: z.int().describe('Calls that a worker is making'),
  open_jobs: z.int().describe('Jobs that have not ended'),
  oldest_queued_seconds: z
    .number()
    .nullable()
    .describe('How long the oldest waiting call has waited; null without one'),
};

export const System = z
  .object({
    version: z.string().describe('Version of the service that this process runs'),
    started_at: timestamp('When this process started'),
    dependencies: z
      .object({
        postgres: dependency('PostgreSQL: accepts writes'),
        redis: dependency('Redis: accepts writes'),
        temporal: dependency('The Temporal server'),
        upstream: dependency(
          'The model providers, by the requests of the last two hours: `down` if none of them succeeded',
        ),
        worker: dependency('The worker processes: `up` while at least one is live'),
      })
      .describe('What the service needs, as this process sees it'),
    workers,
    maintenance: z
      .object({
        last_round_at: timestamp('When the latest round ended').nullable(),
        steps: z
          .array(
            z
              .object({
                step: z.string().describe('Name of the step'),
                ran_at: timestamp('When it ended last'),
                handled: z.int().nullable().describe('How many rows it has handled; null if it failed'),
                has_failed: z.boolean().describe('Whether it failed; the next round repeats it'),
              })
              .meta({ id: 'MaintenanceStep' }),
          )
          .describe('The steps of a round, in their order'),
        cursors: z
          .array(
            z
              .object({
                name: z.string().describe('Name of the sweep'),
                done_until: timestamp('Everything older was looked at'),
              })
              .meta({ id: 'SweepCursor' }),
          )
          .describe('How far each sweep has read'),
      })
      .describe('Maintenance, a round every half minute'),
    retention: z
      .object({
        payload_days: z.int().describe('Days after which prompts and answers are deleted'),
        delivery_days: z.int().describe('Days after which ended webhook deliveries are deleted'),
        session_days: z.int().describe('Days after which expired admin sessions are deleted'),
        idempotency_hours: z.int().describe('Hours for which the answer to an Idempotency-Key is kept'),
        oldest_payload_at: timestamp('When the oldest stored prompt was sent').nullable(),
      })
      .describe('How long records are kept'),
    backlog: z
      .object({
        ...depths,
        unsent_deliveries: z.int().describe('Webhook deliveries that have not started'),
        pending_deliveries: z.int().describe('Webhook deliveries that wait for their next attempt'),
        figures_complete_until: timestamp(
          'Calls that were recorded before this moment are in the figures; null before the first were',
        ).nullable(),
      })
      .describe('What waits'),
    links: z
      .object({
        temporal_ui: z.string().nullable().describe('Address of the Temporal UI; null when none is set'),
        docs: z.string().describe('Path of the documentation'),
        metrics: z.string().describe('Path of the metrics'),
      })
      .describe('Where to look further'),
  })
  .meta({ id: 'System' });

export const Live = z
  .object({
    ...depths,
    tokens_per_second: z.number().describe('Tokens of the calls that were recorded in the last minute, divided by 60'),
    calls_per_minute: z.int().describe('Calls that were recorded in the last minute'),
    teams: z
      .array(
        z
          .object({
            team_id: z.string().describe('Id of the team'),
            team_alias: text('Display name of the team; null when it has none', 'Research').nullable(),
            open_jobs: z.int().describe('Its jobs that have not ended'),
            running_calls: z.int().describe('Its calls that a worker is making'),
            queued_calls: z.int().describe('Its calls that wait for a worker'),
            rpm_used: z.int().nullable().describe('Calls of the current minute; null while Redis is away'),
            rpm_limit: z.int().describe('Calls that it may make a minute'),
            tpm_used: z.int().nullable().describe('Tokens of the current minute; null while Redis is away'),
            tpm_limit: z.int().describe('Tokens that it may use a minute'),
          })
          .meta({ id: 'LiveTeam' }),
      )
      .describe('Teams with open jobs, most calls first, at most 100'),
    teams_total: z.int().describe('How many teams have open jobs'),
    workers,
    at: timestamp('When the figures were read'),
  })
  .meta({ id: 'Live' });
