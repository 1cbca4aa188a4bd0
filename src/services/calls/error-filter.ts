import type { ErrorFilter, ErrorView } from '../../db/calls/call-errors.ts';
import type { ErrorKind } from '../../domain/call-failure.ts';
import { refuse } from '../../errors.ts';
import type { Caller } from '../caller.ts';

interface GivenFilters {
  error_kind?: ErrorKind | undefined;
  error_model_group?: string | undefined;
  error_model?: string | undefined;
  error_code?: string | undefined;
}

/** Concrete models and what their providers send are the operator's. `spec 3.9` */
export function requireConcreteModels(caller: Caller): void {
  if (caller.kind === 'team') throw refuse('concrete_models_hidden');
}

/** A team sees which of its calls failed, an admin each request to a model that failed. */
export const errorViewOf = (caller: Caller): ErrorView => (caller.kind === 'team' ? 'calls' : 'requests');

/** The errors that a request is about; null: it names none. */
export function toErrorFilter(caller: Caller, given: GivenFilters): ErrorFilter | null {
  const { error_kind: kind, error_model_group: model_group, error_model: model, error_code: code } = given;
  if (model !== undefined || code !== undefined) requireConcreteModels(caller);
  if ([kind, model_group, model, code].every((value) => value === undefined)) return null;
  return { view: errorViewOf(caller), kind, model_group, model, code };
}
