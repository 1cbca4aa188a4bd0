import type { Measured } from './measure/measure-all.ts';
import type { Plan } from './plan.ts';

/** The content of a file in `bench/results`. */
export type Result = Measured & {
  /** The start of the run, ISO 8601. */
  at: string;
  machine: { cpu: string; cores: number; loadBefore: number; loadAfter: number };
  plan: Plan;
};
