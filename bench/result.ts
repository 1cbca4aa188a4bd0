import type { Measured } from './bench.ts';
import type { Plan } from './plan.ts';

/** What a run leaves in `bench/results`. */
export type Result = Measured & {
  /** When it began, ISO 8601. */
  at: string;
  machine: { cpu: string; cores: number; loadBefore: number; loadAfter: number };
  plan: Plan;
};
