import { randomUUID } from 'node:crypto';
import { testInBrowserFor } from '../support/chromium.ts';
import { consoleForTests } from '../support/console-for-tests.ts';

const { given, openAsOwner, openAsTeam } = consoleForTests();

/** The status of the answer is an error of the browser's log. */
const isRefusal = (problem: string): boolean => /status of (404|422)/.test(problem);

testInBrowserFor(
  [
    { path: '/jobs/nonsense', noun: 'job', list: 'jobs' },
    { path: `/jobs/${randomUUID()}`, noun: 'job', list: 'jobs' },
    { path: '/teams/nonsense', noun: 'team', list: 'teams' },
    { path: '/organizations/nonsense', noun: 'organization', list: 'organizations' },
    { path: '/webhooks/nonsense', noun: 'webhook', list: 'webhooks' },
    { path: `/webhooks/${randomUUID()}`, noun: 'webhook', list: 'webhooks' },
  ],
  '$path shows that there is no such $noun and links to the list, without a button to retry',
  async ({ path, noun, list }) => {
    const { page, problems } = await openAsOwner(path);

    await page.getByRole('heading', { level: 1, name: `There is no such ${noun}` }).waitFor();
    const retries = await page.getByRole('button', { name: 'Retry' }).count();
    await page.getByRole('link', { name: `All ${list}` }).click();
    await page.waitForURL(`**/console/${list}*`);

    expect(retries).toBe(0);
    expect(problems.filter((problem) => !isRefusal(problem))).toEqual([]);
    await page.context().close();
  },
);

testInBrowserFor(
  [{ path: '/nothing' }, { path: '/teams/one/two/three' }, { path: '/system/nothing' }],
  'the address $path of no page has the layout, a heading and a way back',
  async ({ path }) => {
    const { page, problems } = await openAsOwner(path);

    await page.getByRole('heading', { level: 1, name: 'There is no such page' }).waitFor();
    await page.getByRole('navigation', { name: 'Pages' }).waitFor();
    await page.getByRole('link', { name: 'Back to the start' }).click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();

    expect(problems).toEqual([]);
    await page.context().close();
  },
);

testInBrowserFor(
  [{ path: '/teams' }, { path: '/margins' }, { path: '/users' }, { path: '/system' }, { path: '/teams/nonsense' }],
  'a team that opens $path is told in a heading that it cannot see it, and who can',
  async ({ path }) => {
    const team = await given.team();
    const { page, problems } = await openAsTeam(team.key, path);

    await page.getByRole('heading', { level: 1, name: 'You cannot see' }).waitFor();
    await page.getByText('An owner or admin can.').waitFor();
    await page.getByRole('link', { name: 'Back to the start' }).click();
    await page.waitForURL('**/console/team*');

    expect(problems).toEqual([]);
    await page.context().close();
  },
);
