export const teamTabs = ['jobs', 'credits', 'models', 'webhooks', 'settings', 'activity'] as const;
export type TeamTab = (typeof teamTabs)[number];
