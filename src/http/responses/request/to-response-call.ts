import { invalid, refuse } from '../../../errors.ts';
import type { CallToMake } from '../../../services/calls/make-call.ts';
import type { RequestContext } from '../../route.ts';
import { newHeaderObserver } from '../../v1/call-observer.ts';
import { type JobHeaders, toCallTarget } from '../../v1/call-target.ts';
import type { ResponseRecord } from '../answer/response-events.ts';
import { resolveInput } from '../state/resolve-input.ts';
import { toClientRequest } from '../state/stored-response.ts';
import { requireMediaOfItems } from './media-of-items.ts';
import type { ResponseRequest } from './response-request.ts';
import { showsStates, toHead } from './to-head.ts';
import { translateRequest } from './to-model-request.ts';

export type ResponseContext = RequestContext<undefined, undefined, ResponseRequest, JobHeaders>;

/** The call that a request makes, and what its answer will be a response of, but for the id of the call. */
export interface ResponseCall {
  toMake: CallToMake;
  record: Omit<ResponseRecord, 'callId'>;
}

const unsupported = (path: (string | number)[], msg: string) => invalid(['body', ...path], msg, 'unsupported_value');

function requireSupported({ include, background, store }: ResponseRequest): void {
  const at = (include ?? []).indexOf('message.output_text.logprobs');
  if (at >= 0) throw unsupported(['include', at], 'Log probabilities are not supported');
  if (background && store === false)
    throw unsupported(['background'], 'A response that is made in the background has to be stored');
}

/** The whole input of a request as a chat completion. Reads what the request names of earlier responses. */
export async function translateInput(
  { body, deps, caller }: Pick<ResponseContext, 'body' | 'deps' | 'caller'>,
  purpose: string | null = null,
) {
  requireSupported(body);
  requireMediaOfItems(deps.config.MEDIA_URLS, body.input);
  const { items, earlier, previousCallId } = await resolveInput({ deps, caller }, body);
  return { ...translateRequest(body, items, { earlier, purpose }), items, previousCallId };
}

/** What a request makes of the models, and of its job. */
export async function toResponseCall(context: ResponseContext): Promise<ResponseCall> {
  const { body, deps, headers, ignoredFields } = context;
  const translated = await translateInput(context, headers['x-call-purpose'] ?? null);
  const { request, tools, unknownFields, leftOut, items, previousCallId } = translated;
  const head = toHead(body, Math.floor(Date.now() / 1_000));
  const record = { head, tools, showsStates: showsStates(body) };
  const client = head.store ? toClientRequest(record, items) : undefined;
  if (Buffer.byteLength(client?.input ?? request.body) > deps.config.CALL_BODY_LIMIT) throw refuse('body_too_large');
  const target = toCallTarget(context, {
    body,
    userId: body.user ?? body.safety_identifier ?? null,
    metadata: body.metadata ?? null,
    defaultJobType: 'responses',
    ...(previousCallId && { previousCallId }),
  });
  const observer = newHeaderObserver({ ...context, ignoredFields: [...ignoredFields, ...leftOut] }, unknownFields);
  return { record, toMake: { request: { ...request, ...(client && { clientRequest: client }) }, target, observer } };
}
