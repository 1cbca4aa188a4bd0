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
    '/',
    '/audit',
    '/jobs',
    `/jobs?type=report&open=${jobId}`,
    `/jobs/${jobId}?type=report&range=24h`,
    '/ledger',
    '/live',
    '/margins',
    '/margins?by=team_id',
    '/me',
    '/models',
    '/models?tab=aliases',
    '/models?tab=access',
    '/models?tab=health',
    '/models?tab=resolve',
    '/organizations',
    `/organizations/${organizationId}`,
    '/system',
    '/teams',
    `/teams?open=${teamId}`,
    `/teams/${teamId}`,
    `/teams/${teamId}?tab=activity`,
    `/teams/${teamId}?tab=credits`,
    `/teams/${teamId}?tab=models`,
    `/teams/${teamId}?tab=settings`,
    `/teams/${teamId}?tab=webhooks`,
    '/usage',
    '/usage?metric=calls&by=model_group&bucket=hour',
    '/usage?metric=credits&by=team_id',
    '/usage?metric=jobs&by=outcome',
    '/users',
    '/webhooks',
    `/webhooks/${webhookId}`,
  ],
  team: ['/team', '/jobs', `/jobs/${jobId}`, '/ledger', '/me', '/usage', '/webhooks', `/webhooks/${webhookId}`],
  nobody: ['/login'],
});
