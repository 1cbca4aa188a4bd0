import type { Config } from '../../config.ts';
import type { Database } from '../../db/connection/database.ts';
import type { Findings } from '../../domain/findings.ts';
import type { Temporal } from '../../temporal/connection/open-temporal.ts';

/** What one check has found. `fact`: what is said where nothing is wrong. */
export interface Checked extends Findings {
  fact: string;
}

export const checkedAs = (fact: string, found: Partial<Findings> = {}): Checked => ({
  fact,
  problems: [],
  warnings: [],
  ...found,
});

/** What the checks use. */
export interface Checkable {
  config: Config;
  temporal: Temporal;
  /** Rejects while PostgreSQL does not respond: the check of the database states why. */
  openDatabase(): Promise<Database>;
}

export type Check = (of: Checkable) => Promise<Checked>;
