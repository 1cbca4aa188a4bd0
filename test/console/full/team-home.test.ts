import { asAdmin } from '../../support/as-admin.ts';
import { as, expectOk } from '../../support/given.ts';
import { testInBrowser } from '../support/chromium.ts';
import { consoleForTests } from '../support/console-for-tests.ts';

const { gateway, given, openAsOwner, openAsTeam } = consoleForTests({
  settings: { SUPPORT_CONTACT: 'credits@example.com' },
});
const admin = asAdmin(gateway);

testInBrowser(
  'a team without credits sees what happens to its jobs and whom to ask, and which names it may call (spec 20.17, spec 19.81)',
  async () => {
    const access = await given.accessGroup();
    const alias = await given.alias({ description: 'For letters', max_output_tokens: 900, access_groups: [access] });
    const team = await given.team({ credits: 0, low_balance_policy: 'block', access_groups: [access] });
    const { page, problems } = await openAsTeam(team.key, '/team');

    await page.getByText('are refused: “Insufficient credits”').waitFor();
    const contact = page.getByRole('link', { name: 'credits@example.com' });
    const models = page.getByRole('table', { name: 'Models you may call' });
    await models.getByText(alias).waitFor();

    expect(await contact.getAttribute('href')).toBe('mailto:credits@example.com');
    expect(await models.getByRole('row', { name: alias }).textContent()).toContain('answers of up to 900 tokens');
    expect(await page.getByText('Estimated to last').isVisible()).toBe(true);
    expect(await page.content()).not.toContain('sim-ok');
    expect(problems).toEqual([]);
  },
);

testInBrowser(
  'pages of a team show no cost at the providers, where those of an admin do (spec 20.17, spec 19.80)',
  async () => {
    const team = await given.team();
    const job = expectOk(await as(gateway, team).single()).job_id;
    const { page } = await openAsTeam(team.key, '/team');
    const { page: ofAdmin } = await openAsOwner(`/jobs/${job}`);

    await page.getByText('p95 latency of calls').waitFor();
    expect(await page.getByText('Provider cost').count()).toBe(0);
    await page.goto(page.url().replace('/team', '/usage?metric=cost_usd'));
    await page.getByRole('heading', { name: /^Jobs, by/ }).waitFor();
    await page.goto(page.url().replace(/\/usage.*/, `/jobs/${job}`));
    await page.getByText('of prompts and answers').waitFor();
    expect(await page.locator('main').textContent()).not.toContain('$');
    await ofAdmin.getByText('Provider cost').waitFor();
  },
);

testInBrowser(
  'the statement of a month leads to its rows and jobs, and prints on one A4 page with many types of jobs (spec 20.17, spec 8.12)',
  async () => {
    const team = await given.team({ credits: 40 });
    const own = as(gateway, team);
    for (let n = 0; n < 30; n++)
      expectOk(await own.complete(await given.job(team, { job_type: `type-${String(n).padStart(2, '0')}` })));
    expectOk(
      await admin.post(`/api/teams/${team.teamId}/credits/adjust`, { credits_amount: -4, reason: 'a correction' }),
    );
    const { page, problems } = await openAsTeam(team.key, '/statement');

    await page.getByRole('link', { name: 'type-29' }).waitFor();
    const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
    expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
    await page.getByRole('link', { name: '−30' }).click();
    await page.waitForURL('**/console/ledger*type=deduction*');
    await page.goBack();
    await page.getByRole('link', { name: 'type-07' }).click();
    await page.waitForURL('**/console/jobs?*type=type-07*');
    await page.getByRole('table', { name: 'Jobs' }).getByText('type-07').first().waitFor();

    expect(problems).toEqual([]);
  },
);

testInBrowser(
  'an admin registers a webhook of the installation, which is listed as such and has its own events (spec 11.16)',
  async () => {
    const { page, problems } = await openAsOwner('/webhooks');
    await page.getByRole('button', { name: 'New webhook' }).first().click();
    await page.getByLabel('Webhook of').selectOption('platform');
    await page.getByLabel('Receiver').fill('https://hooks.example.com/attention');
    expect(await page.getByRole('checkbox', { name: 'job.completed' }).count()).toBe(0);
    expect(await page.getByRole('checkbox', { name: 'attention.opened' }).isChecked()).toBe(true);
    await page.getByRole('button', { name: 'Register the webhook' }).click();
    await page.getByRole('button', { name: 'I have stored the secret' }).click();
    await page.getByRole('link', { name: 'https://hooks.example.com/attention' }).click();
    await page.getByText('Webhook of the installation').waitFor();

    const { webhooks } = expectOk(await admin.get('/api/webhooks?scope=platform'));
    expect(webhooks).toMatchObject([{ team_id: null, events: ['attention.opened', 'attention.closed'] }]);
    expect(problems).toEqual([]);
  },
);
