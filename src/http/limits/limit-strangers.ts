import type { Request, RequestHandler } from 'express';
import { refuseByLimit } from '../../errors.ts';
import { networkOf } from '../../holders/network.ts';
import { limitName } from '../../redis/limits/counters.ts';
import { createLocalCounters } from '../../redis/limits/local-counters.ts';
import { clientAddress } from '../client-address.ts';

/**
 * Limits the requests that are answered before a credential is read: fixed files, unknown paths, wrong methods, foreign hosts, bodies
 * that are too large. They count for their network, in this process, without a round trip. Beyond the limit of a minute such a request
 * is refused with 429, and beyond twice the limit its connection is closed without an answer. A request with a valid credential is not
 * affected.
 */
export function limitStrangers(limit: number): RequestHandler {
  const counters = createLocalCounters();
  return (request: Request, { locals }, next) => {
    if (locals.countedForNetwork) return next();
    locals.countedForNetwork = true;
    const use = { key: `network:${networkOf(clientAddress(request))}`, cost: 1, limit, windowMs: 60_000 };
    const state = counters.state(use);
    const isFlood = counters.state({ ...use, limit: 2 * limit }).remaining === 0;
    if (isFlood) return void request.socket.destroy();
    void counters.add(use, use.cost);
    if (state.remaining === 0) return next(refuseByLimit('rate_limited', state, limitName(use)));
    next();
  };
}
