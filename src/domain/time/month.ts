export interface Month {
  /** Inclusive. */
  from: Date;
  /** Exclusive. */
  until: Date;
}

/** The bounds in UTC of a month like `2026-01`, whose form has been validated. `spec 8.4` */
export function monthOf(period: string): Month {
  const from = new Date(`${period}-01T00:00:00Z`);
  const until = new Date(from);
  until.setUTCMonth(from.getUTCMonth() + 1);
  return { from, until };
}
