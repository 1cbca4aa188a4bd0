import type { ReactNode } from 'react';

/** One thing that an action changes. */
export interface EffectLine {
  what: string;
  before: ReactNode;
  after: ReactNode;
}
