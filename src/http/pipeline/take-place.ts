import { Unavailable } from '../../errors.ts';
import { holdUntilSent, rejectWaitingInOutage } from '../limits/hold.ts';
import type { Place } from '../route.ts';
import type { Exchange } from './exchange.ts';

/**
 * One of the places of the holder: 429 where too much waits, 503 after too long a wait. A command on a job has it until it has its
 * reply, a list until the client has read it, a stream of events until it ends.
 */
export function takePlace(exchange: Exchange): void | Promise<void> {
  const { deps, holder, response, disconnected } = exchange;
  const place = placeOf(exchange);
  if (!place) return;
  if (place === 'workflowCommands') return takePlaceForCommand(exchange);
  return holdUntilSent(deps.measures.places[place], holder, response, { signal: disconnected });
}

/** The place that a request has. */
export function placeOf({ spec: { limits }, request }: Exchange): Place | undefined {
  const { placeWith, place } = limits ?? {};
  return placeWith && request.query[placeWith.parameter] !== undefined ? placeWith.place : place;
}

async function takePlaceForCommand(exchange: Exchange): Promise<void> {
  const { deps, holder, disconnected } = exchange;
  const { workflowCommands } = deps.measures.places;
  const release = await workflowCommands.acquire(holder, { signal: disconnected });
  exchange.onEnd((error) => {
    release();
    rejectWaitingInOutage([workflowCommands], holder, error ?? findOutage(exchange));
  });
}

/** A request with an Idempotency-Key has a reply to an outage instead of its error. */
const findOutage = ({ reply }: Exchange): Unavailable | undefined =>
  reply?.status === 503 ? new Unavailable('a dependency of the waiting requests') : undefined;
