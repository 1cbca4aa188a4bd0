/** The names of events without `job.`, with which all of them begin. */
export const eventsOf = (events: readonly string[]): string =>
  events.map((event) => event.replace('job.', '')).join(', ');
