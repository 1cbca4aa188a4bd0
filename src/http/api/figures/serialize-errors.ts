import type { z } from 'zod';
import type { Errors, FailedCall } from '../../../contracts/call-errors.ts';
import type { FailedCallRow } from '../../../db/calls/list-failed-calls.ts';
import type { getErrors } from '../../../services/figures/get-errors.ts';

interface Cause {
  model: string | null;
  status_code: number | null;
  error_code: string | null;
}

/** A team does not see which model it was, and what its provider sent. */
const causeFor = (isForAdmin: boolean, { model, status_code, error_code }: Cause) =>
  isForAdmin ? { model: model!, status_code, error_code } : {};

export function serializeErrors(result: Awaited<ReturnType<typeof getErrors>>): z.input<typeof Errors> {
  const { range, bucket, starts, figures, isForAdmin } = result;
  return {
    from: range.from.toISOString(),
    to: range.until.toISOString(),
    clock: 'job_created',
    complete_until: figures.now.toISOString(),
    bucket,
    buckets: starts.map((start) => start.toISOString()),
    total: figures.total,
    groups: figures.groups.map(({ model, status_code, error_code, trend, ...group }) => ({
      ...group,
      ...causeFor(isForAdmin, { model, status_code, error_code }),
      trend: starts.map((_, index) => trend[index + 1] ?? 0),
    })),
    groups_total: figures.groups_total,
  };
}

export const serializeFailedCall = (
  { errors, finished_at, status, ...call }: FailedCallRow,
  isForAdmin: boolean,
): z.input<typeof FailedCall> => ({
  ...call,
  status,
  finished_at: finished_at?.toISOString() ?? null,
  errors: errors.map(({ kind, error, ...cause }) => ({ kind, ...causeFor(isForAdmin, cause), error })),
});
