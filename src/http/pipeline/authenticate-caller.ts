import { holderOf } from '../../services/holder-of.ts';
import { authenticate } from '../auth/authenticate.ts';
import type { Exchange } from './exchange.ts';

/** Who sends the request, and whether the caller may use the route: 401, 403. `spec 2.2` */
export async function authenticateCaller(exchange: Exchange): Promise<void> {
  const { deps, request, spec, ip } = exchange;
  exchange.caller = await authenticate(deps, request, spec);
  exchange.holder = holderOf(exchange.caller, ip);
}
