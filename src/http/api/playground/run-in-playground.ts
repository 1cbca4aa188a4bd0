import { Chunk } from '../../../contracts/calls.ts';
import { PlaygroundRun } from '../../../contracts/playground.ts';
import { defaultMaxTokens } from '../../../domain/playground.ts';
import { runInPlayground as run } from '../../../services/playground/run-in-playground.ts';
import { callHeaders } from '../../call-headers.ts';
import { route } from '../../route.ts';
import { newStreamRecord } from '../../stream/event-stream.ts';
import { toModelRequest } from '../calls/call-body.ts';
import { refusalsOfSingle } from '../calls/call-response.ts';
import { chunkEvents, chunkStream } from '../calls/chunks.ts';

export const runInPlayground = route(
  {
    operationId: 'runInPlayground',
    method: 'post',
    path: '/api/playground/run',
    summary: 'Make a streamed call of the test account, as a job of its own',
    description:
      'For an admin who tries out a model or a prompt. The first run makes the test account, with a few credits. Each run is a job ' +
      'like any other, with its cost and its charge, and is audited. A client that goes away changes nothing: stop the call.',
    tag: 'Playground',
    access: { audience: ['admin_user'] },
    limits: { rate: 'management' },
    body: { schema: PlaygroundRun.meta({ example: { max_tokens: 200 } }) },
    responseHeaders: ['X-Job-Id', 'X-Call-Id'],
    streams: chunkEvents,
    response: Chunk,
    errors: [
      ...refusalsOfSingle.filter((code) => code !== 'key_of_another_team' && code !== 'key_limit_reached'),
      'job_finished',
      'model_group_not_found',
      'access_group_not_found',
      'team_suspended',
      'team_exists',
      'team_has_no_key',
      'upstream_registration_failed',
      'organization_not_active',
    ],
  },
  async (context) => {
    const { body } = context;
    const request = toModelRequest(context, body.model, { ...body, max_tokens: body.max_tokens ?? defaultMaxTokens });
    const { call, outputs } = await run(context, { request, observer: callHeaders(context) });
    return chunkStream(newStreamRecord(call, body.model), outputs);
  },
);
