import { breaks, detailOf } from '../db/connection/failures.ts';
import { InvalidRequest, refuse } from '../errors.ts';

interface AboveMaximum {
  field: string;
  maximum: number;
}

/** Fields of a budget that are above the maxima of their team, each at its place in the body. `spec 23.2` */
export const aboveMaxima = (place: readonly string[], fields: readonly AboveMaximum[]): InvalidRequest =>
  new InvalidRequest(
    fields.map(({ field, maximum }) => ({
      loc: [...place, field],
      msg: `Input should be less than or equal to ${maximum}`,
      type: 'less_than_equal',
    })),
  );

/** The refusal of a new job that the database does not take, in place of its error; any other error as it is. */
export function refusalOfNewJob(error: unknown): unknown {
  if (breaks(error, 'key_limit')) return refuse('key_limit_reached');
  if (breaks(error, 'fixed_budget_covers_reservations')) return refuse('insufficient_credits');
  if (breaks(error, 'budget_above_maximum'))
    return aboveMaxima(['body', 'budget'], JSON.parse(detailOf(error)!) as AboveMaximum[]);
  return error;
}
