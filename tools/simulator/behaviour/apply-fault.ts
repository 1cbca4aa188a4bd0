import { providerError } from '../errors.ts';
import { answered, breakConnection, type Exchange, hang } from '../exchange.ts';
import { RefusedRequestError } from '../refused-requests.ts';
import type { Behaviour } from './behaviour.ts';

/** Applies a fault that replaces the answer. undefined: the behaviour has no such fault. */
export async function applyFault(
  exchange: Exchange,
  { fault }: Behaviour,
  model: string,
): Promise<typeof answered | undefined> {
  const { request, response } = exchange;
  switch (fault?.kind) {
    case 'status':
      throw providerError(fault.status, model, { retryAfterSeconds: fault.retryAfterSeconds });
    case 'refused':
      throw new RefusedRequestError(fault.refusal, fault.status);
    case 'error-body':
      response
        .status(200)
        .json({ error: { message: 'The simulated provider is overloaded.', type: 'overloaded_error' } });
      return answered;
    case 'reset':
      return breakConnection(exchange, 'reset');
    case 'hang':
      return hang(exchange);
    case 'wrong-type':
      response.status(200).type('html').send('<!doctype html><title>Sign in</title><p>Please sign in to go on.</p>');
      return answered;
    case 'redirect':
      response.redirect(307, '/simulator/redirected');
      return answered;
    case 'error-in-stream':
      if (request.body?.stream !== true) throw providerError(500, model);
      return undefined;
    default:
      return undefined;
  }
}
