import { createHash } from 'node:crypto';
import type { ModelRequest } from '../../calls/call-context.ts';
import type { CallTarget } from '../../calls/call-target.ts';
import { CallerId } from '../../contracts/fields.ts';
import { embeddingsOptions } from '../../domain/call-options.ts';
import { joinMembers } from '../../domain/formats/json-members.ts';
import { bytesOfJson, type SentMembers, utf8BytesOfJson } from '../../domain/formats/sent-json.ts';
import { isGiven } from '../../domain/is-given.ts';
import { tokensOfRequest, tokensToReserve } from '../../domain/token-estimate.ts';
import { forwardedMembers } from '../body/forwarded-members.ts';
import type { RequestContext } from '../route.ts';
import { type JobHeaders, toCallTarget } from '../v1/call-target.ts';
import { countInputs, countTokens } from './embeddings-input.ts';
import { type EmbeddingsRequest, knownFields } from './embeddings-request.ts';

export type EmbeddingsContext = RequestContext<undefined, undefined, EmbeddingsRequest, JobHeaders>;

/** Servers and proxies have different defaults, and some read only one of the two. `spec 30.2` */
const askedFor = { name: 'encoding_format', value: '"float"' };

/** What a request for embeddings requests of a model. `sent`: the members of the body as they were sent. */
export function toEmbeddingsCall(
  body: EmbeddingsRequest,
  headers: JobHeaders,
  sent: SentMembers,
): { request: ModelRequest; unknownFields: string[] } {
  const textOf = (name: string) => sent.get(name) ?? JSON.stringify(body[name]);
  const text = joinMembers([...forwardedMembers(['input', 'dimensions'], body, textOf), askedFor]);
  const unknownFields = Object.keys(body).filter((name) => !knownFields.has(name) && isGiven(body[name]));
  const inputs = countInputs(body.input);
  const options = embeddingsOptions(
    inputs,
    unknownFields.map((name) => ({ name, value: textOf(name) })),
  );
  const tokens = countTokens(body.input);
  return {
    unknownFields,
    request: {
      model: body.model,
      body: text,
      promptTokens: tokens ?? tokensOfRequest(bytesOfJson(text)),
      promptTokensToReserve: tokensToReserve(0, inputs) + (tokens ?? tokensToReserve(utf8BytesOfJson(text), 0)),
      maxTokens: 0,
      purpose: headers['x-call-purpose'] ?? null,
      metadata: body.metadata ?? null,
      isForEmbeddings: true,
      options,
    },
  };
}

const task = 'embeddings';

/** The task of calls that name no job. A user whose name cannot be a part of it has its SHA-256 there. `spec 30.5` */
function taskOf(userId: string | null): string {
  if (userId === null) return task;
  const named = `${task}:${userId}`;
  return CallerId.safeParse(named).success ? named : `${task}:${createHash('sha256').update(userId).digest('hex')}`;
}

/** The job of the call: where nothing names one, that of the team's embeddings, or of its user's. `spec 30.5` */
export function toEmbeddingsTarget(context: EmbeddingsContext): CallTarget {
  const { body } = context;
  const userId = body.user ?? body.safety_identifier ?? null;
  const metadata = body.metadata ?? null;
  return toCallTarget(context, { body, userId, metadata, defaultJobType: task, taskWithoutJob: taskOf(userId) });
}
