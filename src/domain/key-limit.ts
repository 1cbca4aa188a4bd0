/** From when on the credits of a key count: 00:00 UTC of the day, the Monday or the first of the month. `spec 25.4` */
export const limitResets = ['daily', 'weekly', 'monthly'] as const;
export type LimitReset = (typeof limitResets)[number];

/** The most further keys that a team may have. */
export const maxKeysOfTeam = 100;
