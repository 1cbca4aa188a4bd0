import { asAdmin } from '../../support/as-admin.ts';
import { as, expectOk, type GivenTeam } from '../../support/given.ts';
import { until } from '../../support/until.ts';
import { answering, closeReceivers, type Receiver, startReceiver } from '../../webhook-delivery/receiver.ts';
import { testInBrowser } from '../support/chromium.ts';
import { consoleForTests } from '../support/console-for-tests.ts';

const { gateway, given, openAsOwner, openAsTeam } = consoleForTests({
  settings: { WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true', WEBHOOK_RETRY_DELAYS: '0ms,50ms' },
});
const admin = asAdmin(gateway);
afterEach(closeReceivers);

const register = async (team: GivenTeam, receiver: Receiver): Promise<string> =>
  expectOk(
    await as(gateway, team).post('/api/webhooks/register', {
      team_id: team.teamId,
      webhook_url: receiver.url,
      events: ['job.created'],
    }),
  ).webhook_id;

const deliveriesTo = async (webhookId: string, status: string) =>
  expectOk(await admin.get(`/api/deliveries?webhook_id=${webhookId}&status=${status}`));

testInBrowser(
  'a failing webhook comes first, shows each attempt, and is sent its failed deliveries again',
  async () => {
    const team = await given.team();
    let status = 500;
    const receiver = await startReceiver((response, request) => answering(status)(response, request));
    await register(team, await startReceiver(answering(200)));
    const failing = await register(team, receiver);
    await given.job(team);
    await until(
      () => deliveriesTo(failing, 'exhausted'),
      ({ total }) => total === 1,
    );
    const { page, problems } = await openAsOwner(`/webhooks?team=${team.teamId}`);

    await page.getByRole('link', { name: receiver.url }).waitFor();
    const first = await page.locator('tbody tr').first().textContent();
    await page.getByRole('link', { name: receiver.url }).click();
    await page.getByRole('row', { name: 'Exhausted' }).click();
    const attempts = page.getByRole('table', { name: 'Attempts' });
    await attempts.getByText('500').first().waitFor();
    const shown = await attempts.locator('tbody tr').count();
    status = 200;
    await page.getByRole('button', { name: 'Resend failed' }).click();
    await page.getByRole('button', { name: 'Resend 1 delivery' }).click();
    await until(
      () => deliveriesTo(failing, 'delivered'),
      ({ total }) => total === 1,
    );

    expect(first).toContain('Failing');
    expect(shown).toBe(2);
    expect(receiver.requests).toHaveLength(3);
    expect(problems).toEqual([]);
  },
);

testInBrowser('a team registers a webhook, whose secret is shown once, and sends it a test event', async () => {
  const team = await given.team();
  const receiver = await startReceiver(answering(200));
  const { page, problems } = await openAsTeam(team.key, '/webhooks');

  await page.getByRole('button', { name: 'New webhook' }).first().click();
  await page.getByLabel('Receiver').fill(receiver.url);
  await page.getByRole('button', { name: 'Register the webhook' }).click();
  const dialog = page.getByRole('dialog', { name: 'The webhook is registered' });
  await dialog.getByText('whsec_').waitFor();
  await page.getByRole('button', { name: 'I have stored the secret' }).click();
  await page.getByRole('link', { name: receiver.url }).click();
  await page.getByRole('button', { name: 'Test' }).click();
  await page.getByRole('button', { name: 'Send it' }).click();
  await until(
    () => receiver.requests,
    (requests) => requests.length === 1,
  );

  expect(receiver.requests[0]?.body).toContain('webhook.test');
  expect(await page.content()).not.toContain('whsec_');
  expect(problems).toEqual([]);
});
