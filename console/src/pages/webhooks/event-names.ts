/** Without the `job.` that all of them begin with. */
export const eventsOf = (events: readonly string[]): string =>
  events.map((event) => event.replace('job.', '')).join(', ');
