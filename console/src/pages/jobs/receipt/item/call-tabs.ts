/** The parts of a call, as in the URL of the receipt. */
export const callTabs = ['summary', 'conversation', 'request', 'response', 'raw'] as const;
export type CallTab = (typeof callTabs)[number];
