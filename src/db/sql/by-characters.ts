/**
 * A text, ordered by the numbers of its characters. Without it, the order is that of the cluster's locale, and the same list is another
 * one on another server. An index that is to serve the order is of this expression too. Decision 104.
 */
export const byCharacters = (sql: string): string => `${sql} collate "C"`;
