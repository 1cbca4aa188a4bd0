import { limitManagement } from '../limits/take-limits.ts';
import type { Exchange } from './exchange.ts';

/** The reads or writes of the endpoints of organizations and teams: 429. `spec 9.1` */
export function limitEndpoint({ spec, context }: Exchange): void | Promise<void> {
  if (spec.limits?.rate === 'management') return limitManagement(context, spec.method);
}
