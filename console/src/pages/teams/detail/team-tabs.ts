export const teamTabs = ['jobs', 'credits', 'models', 'webhooks', 'keys', 'settings', 'activity'] as const;
export type TeamTab = (typeof teamTabs)[number];
