import { Chunk } from '../../../contracts/calls.ts';
import { JobCallParams } from '../../../contracts/job-calls.ts';
import { invalid, refuse } from '../../../errors.ts';
import { watchCall as watch } from '../../../services/calls/watch-call.ts';
import { noContent } from '../../reply.ts';
import { route } from '../../route.ts';
import { NamedEventStream } from '../../stream/event-stream.ts';
import { whileAllowed } from '../../stream/while-allowed.ts';
import { chunkEvents } from '../calls/chunks.ts';
import { AnswerPosition } from './answer-position.ts';
import { resumableChunks } from './resumable-chunks.ts';

const ids = [
  'WyI5YTY0ZDBmNyIsMCwxLDU1LDBd',
  'WyI5YTY0ZDBmNyIsMCwxLDEwMywwXQ',
  'WyI5YTY0ZDBmNyIsMSwxLDEwMywwXQ',
  'WyI5YTY0ZDBmNyIsMiwxLDEwMywwXQ',
];
const example = [...chunkEvents.example, '[DONE]'].map((data, at) => `id: ${ids[at]}\ndata: ${data}\n\n`).join('');

export const watchCall = route(
  {
    operationId: 'watchJobCall',
    method: 'get',
    path: '/api/jobs/{job_id}/calls/{call_id}/stream',
    summary: 'Read the answer of a call as a stream, from the start or from where a stream was cut',
    description:
      'Of any call: queued, running or ended, streamed or not, as long as it is stored. The chunks are those of `llm-call-stream`, each ' +
      'with an `id`. With `Last-Event-ID` the stream goes on behind that event; after the last one it is 204. A client that goes away ' +
      'changes nothing.',
    tag: 'Jobs',
    access: { audience: ['team', 'admin'] },
    limits: { place: 'callReads' },
    secret: true,
    params: JobCallParams,
    streams: { event: Chunk, example: `retry: 1000\n\n${example}`, isOptional: false },
    response: Chunk,
    empty: 'Everything was sent before the event of `Last-Event-ID`',
    errors: ['job_of_another_team', 'job_not_found', 'call_not_found', 'payloads_hidden', 'payload_deleted'],
  },
  async (context) => {
    const { deps, params, sentHeaders } = context;
    if (deps.drain.isDraining()) throw refuse('unavailable');
    const lastId = sentHeaders['last-event-id'];
    const sent = lastId === undefined ? new AnswerPosition() : AnswerPosition.parse(String(lastId), params.call_id);
    if (!sent) throw unknownPosition();
    const { call, outputs, result } = await watch(context, { jobId: params.job_id, callId: params.call_id });
    if (result && sent.isBeyond(result)) throw unknownPosition();
    if (sent.stage === 'done') return noContent;
    const naming = {
      callId: call.call_id,
      model: call.requested_model,
      created: Math.floor(call.created_at.getTime() / 1_000),
    };
    const events = (left: AbortSignal) => resumableChunks(naming, outputs(left), sent);
    return new NamedEventStream(whileAllowed(context, events));
  },
);

const unknownPosition = () => invalid(['header', 'last-event-id'], 'Input should be the id of an event of this call');
