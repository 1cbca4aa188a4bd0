/** Null is the same as absent: clients send it for a field that they do not set. */
export const isGiven = (value: unknown): boolean => value !== undefined && value !== null;
