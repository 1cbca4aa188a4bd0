import { ApplicationFailure } from '@temporalio/activity';
import { ApplicationFailureCategory } from '@temporalio/common';

/** What no worker can do now: the attempt gives its slot back at once, and Temporal repeats it later. */
export interface Busy {
  type: 'WorkerFull' | 'ReceiverBusy';
  message: string;
  /** The wait before the first repetition. Each later one waits twice as long, up to `mostMs`, and none exactly as long as another. */
  firstMs: number;
  mostMs: number;
}

/** `attempt`: Temporal's count, from 1. */
export const busy = ({ type, message, firstMs, mostMs }: Busy, attempt: number): ApplicationFailure =>
  ApplicationFailure.create({
    message,
    type,
    nextRetryDelay: Math.min(2 ** (attempt - 1) * firstMs, mostMs) * (0.5 + Math.random() / 2),
    category: ApplicationFailureCategory.BENIGN,
  });
