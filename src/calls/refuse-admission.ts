import type { Admission, ModelRefusal } from '../db/calls/admit-call-to-job.ts';
import { type Refusal, refuse, refuseByBound, refuseByCap } from '../errors.ts';

/** Responses of a team that are made in the background and have not ended. `spec 29.18` */
export const maxUnfinishedResponses = 200;

/** What the statement that admits a call has refused it for. */
export function refusalOfAdmission({ refusal, reservation }: Admission, teamId: string, name: string): Refusal {
  if (reservation && 'cap' in reservation && refusal === reservation.refusal) {
    const { cap, limit, spent, held, needed } = reservation;
    return refuseByCap(reservation.refusal, cap, { limit, spent, held, needed });
  }
  switch (refusal) {
    case 'insufficient_credits':
    case 'job_deadline_exceeded':
      return refuse(refusal);
    case 'responses_unfinished':
      return refuseByBound('unfinished background responses', maxUnfinishedResponses);
    case 'price_unknown':
      return refuse(refusal, name);
    default:
      return refusalOfModel(refusal as ModelRefusal, teamId, name);
  }
}

export const refusalOfModel = (code: ModelRefusal, teamId: string, name: string): Refusal =>
  code === 'model_group_denied' ? refuse(code, teamId, name) : refuse(code, name);
