import { breaks } from '../db/connection/failures.ts';
import { refuse } from '../errors.ts';

/** The refusal of a new job that the database does not take, in place of its error; any other error as it is. */
export const refusalOfNewJob = (error: unknown): unknown =>
  breaks(error, 'key_limit') ? refuse('key_limit_reached') : error;
