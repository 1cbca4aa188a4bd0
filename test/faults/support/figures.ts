import { appendFileSync } from 'node:fs';

/** One line of the table that a full run prints. */
export interface Figure {
  fault: string;
  what: string;
  value: string | number;
}

/** Stores figures for the table of a full run. A short run has none. */
export function figures(fault: string, found: Record<string, string | number>): void {
  const file = process.env.FAULTS_FIGURES;
  if (!file) return;
  for (const [what, value] of Object.entries(found)) {
    appendFileSync(file, `${JSON.stringify({ fault, what, value } satisfies Figure)}\n`);
  }
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
