import { randomUUID } from 'node:crypto';
import { applyFault } from '../behaviour/apply-fault.ts';
import type { Behaviour } from '../behaviour/behaviour.ts';
import { SimulatorError } from '../errors.ts';
import { answered, breakConnection, type Exchange, hang, pause, write } from '../exchange.ts';
import { headerText, modelId } from '../models.ts';
import { buildCompletion, computeCost, type Stamp } from './build-completion.ts';
import { readChatRequest } from './chat-request.ts';
import { checkStrict } from './check-strict.ts';
import { type Answer, composeAnswer } from './compose-answer.ts';
import { encodeWhole } from './encode.ts';
import { leakingHeaders } from './leaks.ts';
import { manyChoices } from './many-parts.ts';
import { streamAnswer } from './stream-answer.ts';

/** POST /chat/completions: an answer with the behaviour of the model's name or of a script. */
export async function completeChat(exchange: Exchange): Promise<unknown> {
  const request = readChatRequest(exchange.request.body);
  const behaviour = exchange.simulation.scripts.next(request.model);
  if (!behaviour) throw unknownModel(request.model, '/chat/completions');
  if (behaviour.strict) checkStrict(request);
  await pause(exchange, behaviour.latencyMs);
  const replaced = await applyFault(exchange, behaviour, request.model);
  if (replaced) return replaced;

  const stamp: Stamp = {
    id: `chatcmpl-${randomUUID()}`,
    created: Math.floor(Date.now() / 1_000),
    model: behaviour.reports ?? request.model,
  };
  const answer = composeAnswer(request, behaviour);
  setHeaders(exchange, request.model, behaviour);
  exchange.simulation.registry.spend(exchange.entry.key, computeCost(stamp, answer, behaviour));
  const { form } = behaviour;
  const isStream = form === 'requested' ? request.stream === true : form !== 'json';
  if (!isStream) return answerWhole(exchange, stamp, answer, behaviour);
  const includeUsage = request.stream_options?.include_usage === true || form !== 'requested';
  return streamAnswer(exchange, stamp, answer, behaviour, includeUsage);
}

/** LiteLLM's error for a model that is not in its configuration. */
export function unknownModel(model: string, path: string): SimulatorError {
  const message = `${path}: Invalid model name passed in model=${model}. Call \`/v1/models\` to view available models for your key.`;
  return new SimulatorError(400, message, { type: 'invalid_request_error', providerFields: { error: message } });
}

export function setHeaders({ response }: Exchange, model: string, { headers, leaks }: Behaviour): void {
  if (leaks) response.set(leakingHeaders);
  const count = { usual: 0, large: 1, many: 300 }[headers];
  for (let number = 1; number <= count; number += 1) {
    response.set(
      `x-policy-${number}`,
      (headers === 'large' ? 'policy '.repeat(3_000) : 'a policy of the proxy ').trim(),
    );
  }
  response.set({
    'x-litellm-call-id': randomUUID(),
    'x-litellm-model-id': modelId(model),
    'x-litellm-model-name': headerText(`openai/${model}`),
    'x-litellm-model-api-base': 'https://provider.invalid/v1',
    'x-litellm-model-group': headerText(model),
    'x-litellm-version': 'simulated',
    'x-litellm-attempted-retries': '0',
    'x-litellm-attempted-fallbacks': '0',
  });
}

/** A number as Python prints a float: `1.4e-05` where JavaScript has `0.000014`, `0.0` for `0`. */
export function pythonFloat(value: number): string {
  if (value !== 0 && Math.abs(value) < 1e-4) return value.toExponential().replace(/e-(\d)$/, 'e-0$1');
  return Number.isInteger(value) ? `${value}.0` : String(value);
}

/** The faults of a stream apply here too: the body is cut, or stalls, in the middle. */
async function answerWhole(exchange: Exchange, stamp: Stamp, answer: Answer, behaviour: Behaviour): Promise<unknown> {
  const { response } = exchange;
  if (behaviour.cost === 'usual') {
    response.set('x-litellm-response-cost', pythonFloat(computeCost(stamp, answer, behaviour)));
  }
  const usual = buildCompletion(stamp, answer, behaviour);
  const completion = behaviour.many ? { ...usual, choices: manyChoices(behaviour.many) } : usual;
  const kind = behaviour.fault?.kind;
  const bytes = Buffer.from(JSON.stringify(completion));
  if (kind !== 'half-json' && kind !== 'cut' && kind !== 'stall') {
    if (behaviour.encoding === 'identity') return completion;
    response.set('content-encoding', behaviour.encoding).type('application/json');
    response.end(encodeWhole(bytes, behaviour.encoding));
    return answered;
  }
  const half = bytes.subarray(0, bytes.length >> 1);
  response.type('application/json');
  if (kind === 'half-json') {
    response.end(half);
    return answered;
  }
  response.set('content-length', String(bytes.length));
  await write(exchange, half);
  return kind === 'cut' ? breakConnection(exchange, 'cut') : hang(exchange);
}
