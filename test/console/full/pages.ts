import type { Page } from 'playwright-core';
import { keysIn } from '../../http/keys/keys-of-teams.ts';
import type { Gateway } from '../../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn } from '../../support/given.ts';

/** Ids of what the pages are about. */
export interface Shown {
  jobId: string;
  teamId: string;
  organizationId: string;
  webhookId: string;
}

/** A team with something for each page to show: a job with a call, which was created with a further key, and a webhook. */
export async function givenShown(gateway: { readonly current: Gateway }): Promise<{ team: GivenTeam; shown: Shown }> {
  const team = await givenIn(gateway).team();
  const further = await keysIn(gateway).given(team, {
    credit_limit: 500,
    limit_reset: 'monthly',
    expires_at: '2100-01-01',
  });
  const jobId = expectOk(await as(gateway, further.team).single()).job_id;
  const webhook = { team_id: team.teamId, webhook_url: 'https://example.com/hooks', events: ['job.failed'] };
  const webhookId = expectOk(await as(gateway, team).post('/api/webhooks/register', webhook)).webhook_id;
  return { team, shown: { jobId, teamId: team.teamId, organizationId: team.organizationId, webhookId } };
}

/** Opens a page of the console, and waits until it has its title and no request under way. */
export async function visit(page: Page, path: string): Promise<void> {
  await page.goto(`/console${path}`);
  await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' });
  await page.waitForLoadState('networkidle').catch(() => undefined);
}

/** The pages of the console: each is looked at in both themes and at three widths. */
export const consolePages = ({ jobId, teamId, organizationId, webhookId }: Shown) => ({
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
    '/prices',
    '/models',
    '/models?tab=aliases',
    '/models?tab=access',
    '/models?tab=health',
    '/models?tab=resolve',
    '/organizations',
    `/organizations/${organizationId}`,
    `/statement?team=${teamId}`,
    '/system',
    '/teams',
    `/teams?open=${teamId}`,
    `/teams/${teamId}`,
    `/teams/${teamId}?tab=activity`,
    `/teams/${teamId}?tab=credits`,
    `/teams/${teamId}?tab=keys`,
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
  team: [
    '/team',
    '/statement',
    '/jobs',
    `/jobs/${jobId}`,
    '/ledger',
    '/me',
    '/usage',
    '/webhooks',
    `/webhooks/${webhookId}`,
  ],
  nobody: ['/login'],
});
