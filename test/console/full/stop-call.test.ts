import { as, expectOk, type GivenTeam } from '../../support/given.ts';
import { until } from '../../support/until.ts';
import { violationsOf } from '../support/axe.ts';
import { testInBrowser, testInBrowserFor } from '../support/chromium.ts';
import { consoleForTests } from '../support/console-for-tests.ts';

const { gateway, given, openAsOwner, openAsTeam } = consoleForTests();

/** A running call in an open job. */
async function givenRunning(team: GivenTeam) {
  const job = await given.job(team);
  const end = as(gateway, team).stream(job);
  const [call] = await until(
    async () => expectOk(await as(gateway, team).get(`/api/jobs/${job}/calls`)).calls,
    ([one]) => one?.first_token_at !== null && one?.status === 'running',
  );
  return { job, callId: call.call_id as string, end };
}

testInBrowserFor(
  [{ who: 'an admin' }, { who: 'a session of a team' }],
  '$who stops a running call by keys, and its answer is what was written by then (spec 26.10)',
  async ({ who }) => {
    const team = await given.team({ models: ['sim-tokens-2000-every-50'] });
    const { page, problems } = who === 'an admin' ? await openAsOwner('/jobs') : await openAsTeam(team.key, '/jobs');
    const { job, callId, end } = await givenRunning(team);
    await page.goto(`/console/jobs/${job}?item=${callId}&tab=response`);
    await page.getByText('Being written …').waitFor();
    const stop = page.getByRole('button', { name: 'Stop', exact: true });

    await stop.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Stop call #1?' });
    await dialog.getByRole('row', { name: 'Status running succeeded' }).waitFor();
    const violations = await violationsOf(page);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('Call #1 is stopped').waitFor();
    await page.getByText('The call has ended: stopped').waitFor({ state: 'attached' });
    const record = page.getByRole('tabpanel').locator('pre');
    await record.waitFor();
    const shown = JSON.parse((await record.textContent())!);
    const focused = await until(
      () => page.evaluate('document.activeElement.textContent'),
      (text) => text === 'Response',
    );
    await page.getByRole('tab', { name: 'Summary' }).click();
    await page.getByText('stopped on request').waitFor();

    await end;
    const call = expectOk(await as(gateway, team).get(`/api/jobs/${job}/calls/${callId}?include=response`));
    expect(call).toMatchObject({ status: 'succeeded', finish_reason: 'stopped', response: { content: shown.content } });
    expect(shown.content.length).toBeGreaterThan(0);
    expect(await stop.count()).toBe(0);
    expect(focused).toBe('Response');
    expect(violations).toEqual([]);
    expect(problems).toEqual([]);
  },
);

testInBrowser('a call that has ended while its stop was considered is reported as such (spec 26.10)', async () => {
  const team = await given.team({ models: ['sim-tokens-100-every-50'] });
  const { page } = await openAsTeam(team.key, '/jobs');
  const { job, callId, end } = await givenRunning(team);
  await page.goto(`/console/jobs/${job}?item=${callId}&tab=summary`);

  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await page.getByRole('dialog').waitFor();
  await end;
  await page.getByRole('dialog').getByRole('button', { name: 'Stop the call' }).click();

  await page.getByText('Call #1 had ended before').waitFor();
});
