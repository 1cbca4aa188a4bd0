import { z } from 'zod';
import { Changes, EventQuery, eventTopics, StreamReady } from '../../../contracts/events.ts';
import type { ChangeKind } from '../../../domain/changes.ts';
import { refuse } from '../../../errors.ts';
import { isView, visibleTeam } from '../../../services/caller.ts';
import { version } from '../../../version.ts';
import { route } from '../../route.ts';
import { NamedEventStream, namedEvent } from '../../stream/event-stream.ts';
import { whileAllowed } from '../../stream/while-allowed.ts';
import { changeEvents } from './change-events.ts';

const example = [
  namedEvent('ready', { complete: true, version }, 'sK3v9Qx1.41'),
  namedEvent(
    'changes',
    {
      jobs: [{ job_id: '3f2b8c1e-5d47-4a9b-8e60-7c1d9f24ab35', team_id: 'acme-research', status: 'completed' }],
      teams: [{ team_id: 'acme-research' }],
    },
    'sK3v9Qx1.42',
  ),
].join('');

export const watchChanges = route(
  {
    operationId: 'watchChanges',
    method: 'get',
    path: '/api/events',
    summary: 'Watch what changes, as a stream of events',
    description:
      'Ids and states, for pages that show them; what they mean is read again. The first event is `ready`. `changes` comes at ' +
      'most every 250 ms. `resync` has the data `{}`: changes may have been missed, and everything is to be read again. `ended`: the ' +
      'session or key has ended, and so has the stream. A client that reconnects with `Last-Event-ID` gets what it has missed, for ' +
      'a minute. A comment is sent when nothing else was for 15 s. A team receives its own only. Without Redis it is a 503, and a ' +
      'stream ends. At most 20 streams of one caller, then 429.',
    tag: 'Session',
    access: { audience: ['team', 'admin'], mayUse: (caller) => !isView(caller) },
    limits: { rate: 'management', place: 'eventStreams' },
    query: EventQuery,
    streams: { event: z.union([Changes, StreamReady]), example, isOptional: false },
    response: Changes,
  },
  async (context) => {
    const { deps, caller, query, sentHeaders } = context;
    if (deps.drain.isDraining()) throw refuse('unavailable');
    const lastId = sentHeaders['last-event-id'];
    const reader = await deps.changeFeed.open(lastId ? String(lastId) : undefined);
    const teamId = visibleTeam(caller);
    const kinds = (query.topics ?? eventTopics).flatMap((topic): ChangeKind[] =>
      topic === 'jobs' ? ['jobs', 'calls'] : [topic],
    );
    const events = (signal: AbortSignal) => changeEvents(reader, { kinds, teamId }, signal);
    return new NamedEventStream(whileAllowed(context, events, namedEvent('ended', {})));
  },
);
