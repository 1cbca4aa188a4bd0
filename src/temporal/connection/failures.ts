import { isGrpcServiceError, QueryNotRegisteredError, ServiceError } from '@temporalio/client';
import { Unavailable } from '../../errors.ts';

/**
 * gRPC codes that say "not now": cancelled, deadline exceeded, resource exhausted, failed precondition (a query to a workflow
 * whose task fails), internal, unavailable.
 */
const outages = new Set([1, 4, 8, 9, 13, 14]);

/** Turns errors that mean "Temporal is away" into `Unavailable`, and leaves every other error as it is. */
export function asTemporalOutage(error: unknown): unknown {
  const cause = error instanceof ServiceError ? error.cause : error;
  const away = isGrpcServiceError(cause) && outages.has(cause.code);
  // A query that no worker picks up, or that a worker of another version does not know.
  const unanswered = error instanceof QueryNotRegisteredError;
  return away || unanswered ? new Unavailable('temporal', { cause: error }) : error;
}
