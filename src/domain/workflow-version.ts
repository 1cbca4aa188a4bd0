/**
 * The version of `JobSnapshot` up to which this code runs jobs, and that of which it starts them by default. A release that adds a
 * version raises the first number, and a later one the second: until then it can be rolled back. `spec 15.9`
 */
export const newestJobVersion = 1;
export const defaultJobVersion = 1;
