/** Ids of what the pages are about. */
export interface Shown {
  jobId: string;
  teamId: string;
  organizationId: string;
  webhookId: string;
}

/** The pages of the console: each is looked at in both themes and at three widths. */
export const pagesOf = ({ jobId, teamId, organizationId, webhookId }: Shown) => ({
  admin: [
    '/audit',
    '/jobs',
    `/jobs/${jobId}`,
    '/ledger',
    '/me',
    '/models',
    '/models?tab=aliases',
    '/models?tab=access',
    '/models?tab=health',
    '/models?tab=resolve',
    '/organizations',
    `/organizations/${organizationId}`,
    '/teams',
    `/teams/${teamId}`,
    `/teams/${teamId}?tab=activity`,
    `/teams/${teamId}?tab=credits`,
    `/teams/${teamId}?tab=models`,
    `/teams/${teamId}?tab=settings`,
    `/teams/${teamId}?tab=webhooks`,
    '/users',
    '/webhooks',
    `/webhooks/${webhookId}`,
  ],
  team: ['/team', '/jobs', `/jobs/${jobId}`, '/ledger', '/me', '/webhooks', `/webhooks/${webhookId}`],
  nobody: ['/login'],
});
