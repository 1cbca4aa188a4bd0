import { z } from 'zod';
import { publishedCallStatuses } from '../domain/changes.ts';
import { namedEnum, namedList, text } from './fields.ts';
import { JobStatus } from './jobs.ts';
import { responseFields } from './shared-fields.ts';

/** `spec 19.12` to `spec 19.16` */

export const eventTopics = ['jobs', 'teams', 'webhooks'] as const;

export const EventQuery = z.object({
  topics: namedList('EventTopic', eventTopics)
    .optional()
    .describe(
      'The topics to receive, separated by commas: `jobs` (with their calls), `teams`, `webhooks`. Default: all',
    ),
});

const JobChange = z
  .object({
    job_id: responseFields.job_id,
    team_id: responseFields.team_id,
    status: JobStatus.describe('State of the job now'),
  })
  .meta({ id: 'JobChange' });
export type JobChange = z.output<typeof JobChange>;

const PublishedCallStatus = namedEnum('PublishedCallStatus', publishedCallStatuses, {
  description: 'The status of a call; `retracted`: no worker began it in time, and it is not in the record any more',
  example: 'running',
});

const CallChange = z
  .object({
    call_id: responseFields.call_id,
    job_id: responseFields.job_id,
    team_id: responseFields.team_id,
    status: PublishedCallStatus.describe(
      'State of the call now; `retracted`: no worker began it in time, and it is not in the record any more',
    ),
  })
  .meta({ id: 'CallChange' });
export type CallChange = z.output<typeof CallChange>;

const TeamChange = z.object({ team_id: responseFields.team_id }).meta({ id: 'TeamChange' });
export type TeamChange = z.output<typeof TeamChange>;

const WebhookChange = z
  .object({
    webhook_id: z.guid().describe('Id of the webhook'),
    team_id: responseFields.team_id.nullable().describe('Id of its team; null for a webhook of the installation'),
  })
  .meta({ id: 'WebhookChange' });
export type WebhookChange = z.output<typeof WebhookChange>;

/** The data of an event `changes`: ids and states, nothing else. A list that would be empty is left out. */
export const Changes = z
  .object({
    jobs: z.array(JobChange).optional().describe('Jobs that have a new state'),
    calls: z.array(CallChange).optional().describe('Calls that have a new state'),
    teams: z.array(TeamChange).optional().describe('Teams whose balance, status or settings have changed'),
    webhooks: z
      .array(WebhookChange)
      .optional()
      .describe('Webhooks that have changed, or have a new delivery or attempt'),
  })
  .meta({ id: 'Changes' });
export type Changes = z.output<typeof Changes>;

/** The data of the event `ready`, the first of each stream. */
export const StreamReady = z
  .object({
    complete: z
      .boolean()
      .describe(
        'False: changes since `Last-Event-ID` may be missing; an event `resync` follows, and everything is to be read again',
      ),
    version: text('Version of the service', '0.2.0'),
  })
  .meta({ id: 'StreamReady' });
export type StreamReady = z.output<typeof StreamReady>;
