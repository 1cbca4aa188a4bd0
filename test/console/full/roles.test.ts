import { as, expectOk, unique } from '../../support/given.ts';
import { sendRequest } from '../../support/send-request.ts';
import { testInBrowserFor } from '../support/chromium.ts';
import { consoleForTests } from '../support/console-for-tests.ts';
import { consolePages } from './pages.ts';

const { gateway, given, owner, openAsAdmin } = consoleForTests();

/** An account of a role, which the owner has created. */
async function account(role: 'admin' | 'user') {
  const { url } = gateway.current;
  const { access_token } = expectOk(await sendRequest(url, 'post', '/api/admin-users/login', { body: owner }));
  const one = { email: `${unique(role)}@example.com`, password: 'another pass phrase' };
  const body = { ...one, role, display_name: `Of role ${role}` };
  expectOk(await sendRequest(url, 'post', '/api/admin-users', { key: access_token, body }));
  return one;
}

async function pages(): Promise<string[]> {
  const team = await given.team();
  const jobId = expectOk(await as(gateway, team).single()).job_id;
  const hook = { team_id: team.teamId, webhook_url: 'https://example.com/hooks', events: ['job.failed'] };
  const webhookId = expectOk(await as(gateway, team).post('/api/webhooks/register', hook)).webhook_id;
  return consolePages({ jobId, teamId: team.teamId, organizationId: team.organizationId, webhookId }).admin;
}

testInBrowserFor(
  (['admin', 'user'] as const).flatMap((role) => [360, 1_440].map((width) => ({ role, width }))),
  'an account of role $role has a heading and no refused request on any page, and no link to what it may not see, at $width px',
  async ({ role, width }) => {
    const paths = await pages();
    const { page, problems } = await openAsAdmin(await account(role), '/me', { width, theme: 'dark' });
    const refused: string[] = [];
    page.on('response', (response) => {
      if (response.status() >= 400) refused.push(`${response.status()} ${response.url()}`);
    });
    const seen: Record<string, string> = {};
    const links = new Set<string>();
    const look = async (path: string) => {
      await page.goto(path);
      await page.waitForLoadState('networkidle').catch(() => undefined);
      const heading = page.getByRole('heading', { level: 1 }).first();
      await heading.waitFor({ state: 'attached' });
      seen[path] = (await heading.textContent()) ?? '';
      const folder = process.env.SCREENSHOTS;
      const file = `${role}${path.replaceAll(/[^\w.=-]/g, '_')}-${width}.png`;
      if (folder) await page.screenshot({ path: `${folder}/${file}` });
    };

    for (const path of paths) {
      await look(`/console${path}`);
      const found = await page
        .locator(
          'main a[href]:visible, nav[aria-label=Pages] a[href]:visible, nav[aria-label=Breadcrumb] a[href]:visible',
        )
        .evaluateAll((anchors) => anchors.map(String));
      for (const link of found.map((each) => new URL(each)))
        if (link.pathname.startsWith('/console') && link.hash === '') links.add(link.pathname);
    }
    const notSeen = Object.values(seen).filter((title) => title.startsWith('You cannot see'));
    for (const path of links) if (!(path in seen)) await look(path);

    await page.keyboard.press('Control+k');
    expect(await page.getByRole('button', { name: 'Search' }).count()).toBe(role === 'user' ? 0 : 1);
    if (role === 'admin') await page.getByRole('dialog', { name: 'Search' }).waitFor();
    else expect(await page.getByRole('dialog').count()).toBe(0);

    const dead = [...links].filter((path) => /^(You cannot see|There is no)/.test(seen[path] ?? ''));
    expect(dead).toEqual([]);
    expect(notSeen.length > 0).toBe(role === 'user');
    expect(refused).toEqual([]);
    expect(problems).toEqual([]);
    await page.context().close();
  },
  300_000,
);
