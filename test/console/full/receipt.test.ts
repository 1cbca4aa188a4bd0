import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { as, expectOk } from '../../support/given.ts';
import { until } from '../../support/until.ts';
import { answering, closeReceivers, startReceiver } from '../../webhook-delivery/receiver.ts';
import { testInBrowser } from '../support/chromium.ts';
import { consoleForTests } from '../support/console-for-tests.ts';

const { gateway, given, openAsOwner, openAsTeam } = consoleForTests({
  settings: { WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true', WEBHOOK_RETRY_DELAYS: '0ms,50ms' },
});
afterEach(closeReceivers);

const run = promisify(execFile);
const atReceipt = (page: Page, id: string) => page.waitForURL(`**/console/jobs/${id}*`);

testInBrowser(
  'next and previous on a receipt walk the filtered list, also after it is loaded again (spec 20.9)',
  async () => {
    const team = await given.team();
    const oldest = await given.job(team, { job_type: 'wanted' });
    await given.job(team);
    const middle = await given.job(team, { job_type: 'wanted' });
    const newest = await given.job(team, { job_type: 'wanted' });
    const { page, problems } = await openAsTeam(team.key, '/jobs?type=wanted&range=24h');

    await page.getByRole('link', { name: newest.slice(0, 8) }).click();
    await atReceipt(page, newest);
    const previous = page.getByRole('button', { name: 'Previous' });
    await page.getByText('Type wanted · since yesterday (UTC)').waitFor();
    await page.locator('button[aria-disabled="true"]', { hasText: 'Previous' }).waitFor();
    await page.getByRole('button', { name: 'Next' }).click();
    await atReceipt(page, middle);
    await page.reload();
    await page.locator('button[aria-disabled="false"]', { hasText: 'Next' }).waitFor();
    await page.keyboard.press('n');
    await atReceipt(page, oldest);
    await page.locator('button[aria-disabled="true"]', { hasText: 'Next' }).waitFor();
    await previous.click();
    await atReceipt(page, middle);
    await page.locator('button[aria-disabled="false"]', { hasText: 'Previous' }).waitFor();
    await page.keyboard.press('p');
    await atReceipt(page, newest);
    await page.keyboard.press('u');
    await page.waitForURL('**/console/jobs?*');

    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({ type: 'wanted', range: '24h' });
    expect(problems).toEqual([]);
  },
);

testInBrowser(
  'a receipt shows each attempt at a webhook delivery with what was answered, and sends it again',
  async () => {
    const team = await given.team();
    let status = 503;
    const receiver = await startReceiver((response, request) =>
      status === 200 ? answering(200)(response, request) : response.writeHead(status).end('busy: try later'),
    );
    expectOk(
      await as(gateway, team).post('/api/webhooks/register', {
        team_id: team.teamId,
        webhook_url: receiver.url,
        events: ['job.created'],
      }),
    );
    const job = await given.job(team);
    await until(
      () => receiver.requests.length,
      (count) => count === 2,
    );
    const { page } = await openAsTeam(team.key, `/jobs/${job}`);
    const deliveries = page.getByRole('table', { name: 'Webhook deliveries of this job' });
    await deliveries.getByText('Exhausted').waitFor();

    await deliveries.getByRole('link', { name: 'job.created' }).click();
    const attempts = page.getByRole('table', { name: 'Attempts' });
    await attempts.getByText('503').first().waitFor();
    const shown = await attempts.locator('tbody tr').count();
    await page.getByText('What attempt 2 was answered, 503').click();
    await page.locator('pre', { hasText: 'busy: try later' }).first().waitFor();
    status = 200;
    await page.getByRole('region', { name: 'Selected item' }).getByRole('button', { name: 'Resend' }).click();

    await deliveries.getByText('Delivered').waitFor();
    await attempts.getByText('200').waitFor();
    expect(shown).toBe(2);
  },
);

/** What the shell prints for the line that the page has copied, with the key in its environment. */
async function runCopied(page: Page, environment: Record<string, string>): Promise<string> {
  const line = (await page.evaluate('navigator.clipboard.readText()')) as string;
  const env = { ...environment, PATH: process.env.PATH };
  const { stdout } = await run('sh', ['-c', line.replace(/^curl/, 'curl -s')], { env, timeout: 10_000 });
  return stdout;
}

testInBrowser(
  'copied curl lines read the receipt and a call, make the call again, and have no key in them (spec 20.10)',
  async () => {
    const team = await given.team();
    const key = { VIRTUAL_KEY: team.key };
    const messages = [{ role: 'user', content: `It's "$HOME" and \`id\`` }];
    const job = expectOk(await as(gateway, team).single({ messages })).job_id as string;
    const { page } = await openAsTeam(team.key, `/jobs/${job}`);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);

    await page.getByRole('button', { name: 'Copy as curl' }).click();
    await page.getByText('that reads this receipt').waitFor();
    const receipt = JSON.parse(await runCopied(page, key));
    await page.getByRole('region', { name: 'Timeline' }).getByRole('button', { name: '#1' }).click();
    const item = page.getByRole('region', { name: 'Selected item' });
    await item.getByRole('button', { name: 'Copy as curl', exact: true }).click();
    await page.getByText('that reads this call').waitFor();
    const call = JSON.parse(await runCopied(page, key));
    await item.getByRole('tab', { name: 'Request' }).click();
    await item.getByRole('button', { name: 'makes the call again' }).click();
    await page.getByText('that makes this call again').waitFor();
    const line = String(await page.evaluate('navigator.clipboard.readText()'));
    const again = JSON.parse(await runCopied(page, key));

    expect(receipt.job.job_id).toBe(job);
    expect(call.request.messages).toEqual(messages);
    expect(again.choices[0].message.content).toBe(call.response.content);
    expect(line).not.toContain(team.key);
  },
);

testInBrowser('an admin copies a curl line that works with the key of an admin (spec 20.10)', async () => {
  const team = await given.team();
  const job = await given.job(team);
  const { page } = await openAsOwner(`/jobs/${job}`);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);

  await page.getByRole('button', { name: 'Copy as curl' }).click();
  await page.getByText('that reads this receipt').waitFor();

  expect(JSON.parse(await runCopied(page, { API_KEY: gateway.current.masterKey })).job.job_id).toBe(job);
});

testInBrowser(
  'a receipt with 20 calls, metadata, ledger rows and deliveries is printed on one A4 page, with its timeline',
  async () => {
    const team = await given.team();
    const metadata = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`name_${n}`, `a value ${n}`]));
    const job = await given.job(team, { metadata });
    for (let n = 0; n < 20; n++) expectOk(await as(gateway, team).call(job));
    expectOk(await as(gateway, team).complete(job));
    const { page } = await openAsOwner(`/jobs/${job}`);
    await page.getByRole('table', { name: 'Ledger rows of this job' }).waitFor();

    const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
    await page.emulateMedia({ media: 'print' });
    const timeline = page.getByRole('region', { name: 'Timeline' });
    const overlaps = await page.evaluate(`(() => {
    const tops = [...document.querySelectorAll('[aria-label=Timeline] li')].map((row) => Math.round(row.getBoundingClientRect().top));
    return tops.length - new Set(tops).size;
  })()`);

    expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
    expect(await timeline.isVisible()).toBe(true);
    expect(await timeline.getByText(/^10 of \d+ rows/).isVisible()).toBe(true);
    expect(overlaps).toBe(0);
  },
);

testInBrowser(
  'team, organization, user and external id of a job lead to their pages and to the jobs that have them',
  async () => {
    const team = await given.team();
    const like = { user_id: 'u1', external_task_id: 'order 7' };
    const [job, same] = [await given.job(team, like), await given.job(team, like)];
    const other = await given.job(team);
    const { page, problems } = await openAsOwner(`/jobs/${job}?type=report&range=24h`);
    const facts = page.locator('article dl');
    const open = async (link: string, url: string) => {
      await facts.getByRole('link', { name: link, exact: true }).click();
      await page.waitForURL(url);
      const { searchParams } = new URL(page.url());
      return Object.fromEntries(searchParams);
    };

    await open(team.teamId, `**/console/teams/${team.teamId}*`);
    await page.goBack();
    await open(team.organizationId, `**/console/organizations/${team.organizationId}*`);
    await page.goBack();
    const ofUser = await open('u1', '**/console/jobs?*');
    await page.locator(`tr[data-row="${same}"]`).waitFor();
    const isOtherShown = await page.locator(`tr[data-row="${other}"]`).count();
    await page.goBack();
    const ofExternal = await open('order 7', '**/console/jobs?*');
    await page.locator(`tr[data-row="${same}"]`).click();
    const panel = page.getByRole('complementary', { name: 'Job' });
    await panel.getByRole('link', { name: team.teamId }).waitFor();
    await panel.getByRole('link', { name: 'u1' }).click();
    await page.waitForURL('**/console/jobs?*user=u1*');

    expect(ofUser).toEqual({ user: 'u1', range: '24h' });
    expect(ofExternal).toEqual({ external: 'order 7', range: '24h' });
    expect(isOtherShown).toBe(0);
    expect(problems).toEqual([]);
  },
);

testInBrowser('a team sees its own id on a receipt without a link to a page that it may not open', async () => {
  const team = await given.team();
  const job = await given.job(team, { user_id: 'u1' });
  const { page } = await openAsTeam(team.key, `/jobs/${job}`);
  const facts = page.locator('article dl');

  await facts.getByRole('link', { name: 'u1' }).waitFor();

  expect(await facts.getByRole('link', { name: team.teamId }).count()).toBe(0);
  expect(await facts.getByText(team.teamId, { exact: true }).count()).toBe(1);
});

testInBrowser(
  'the list in the breadcrumb of a receipt has the filters that the receipt was opened with (spec 20.9)',
  async () => {
    const team = await given.team();
    const job = await given.job(team, { job_type: 'wanted' });
    const { page } = await openAsTeam(team.key, `/jobs/${job}?type=wanted&order=oldest&range=24h&item=end`);

    await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Jobs' }).click();
    await page.locator(`tr[data-row="${job}"]`).waitFor();

    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
      type: 'wanted',
      order: 'oldest',
      range: '24h',
    });
  },
);

testInBrowser('a receipt that is opened from the page of a team goes on through the jobs of the team', async () => {
  const [team, other] = [await given.team(), await given.team()];
  const older = await given.job(team);
  await given.job(other);
  const newer = await given.job(team);
  const { page } = await openAsOwner(`/teams/${team.teamId}`);

  await page.getByRole('link', { name: newer.slice(0, 8) }).click();
  await atReceipt(page, newer);
  await page.locator('button[aria-disabled="false"]', { hasText: 'Next' }).waitFor();
  await page.keyboard.press('n');
  await atReceipt(page, older);

  expect(new URL(page.url()).searchParams.get('team')).toBe(team.teamId);
});
