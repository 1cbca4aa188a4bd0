import { refuse } from '../../errors.ts';
import { bodyLimitFor, encodingOf, isReadable, readsBody, tooLarge } from '../body/receive-body.ts';
import type { Exchange } from './exchange.ts';

/**
 * Checks the headers of the body before its first byte: 413 over the limit, 415 for an encoding that is not supported. A body that
 * is too large is refused at once; Node.js reads and discards it.
 */
export function checkBodyHeaders({ deps, request, spec }: Exchange): void {
  const { headers } = request;
  if (Number(headers['content-length'] ?? 0) > bodyLimitFor(deps, spec)) throw tooLarge(request);
  if (!readsBody(spec)) return;
  if ((headers['transfer-encoding'] ?? 'chunked').toLowerCase() !== 'chunked')
    throw refuse('body_not_readable', 'Transfer-Encoding');
  if (!isReadable(encodingOf(request))) throw refuse('body_not_readable', 'Content-Encoding');
}
