/** What the check of a dependency has found before a process starts. Each text is one sentence with what to do. */
export interface Findings {
  /** The dependency has answered, and nothing works with this answer: the process does not start. */
  problems: string[];
  /** It works for now, or the dependency did not respond and may come back. */
  warnings: string[];
}

export const noFindings = (): Findings => ({ problems: [], warnings: [] });
