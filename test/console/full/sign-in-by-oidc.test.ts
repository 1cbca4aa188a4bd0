import { type OidcIssuer, startOidcIssuer } from '../../support/oidc-issuer.ts';
import { violationsOf } from '../support/axe.ts';
import { testInBrowser } from '../support/chromium.ts';
import { consoleForTests } from '../support/console-for-tests.ts';

let issuer: OidcIssuer;
const settings: Record<string, string> = {};
// Before the gateway, which reads its settings when it starts.
beforeAll(async () => {
  issuer = await startOidcIssuer();
  Object.assign(settings, issuer.settings);
});
afterAll(() => issuer.close());
const { gateway, open } = consoleForTests({ worker: false, settings });

testInBrowser(
  'a person signs in at the identity provider and arrives at the page that was asked for (spec 12.40)',
  async () => {
    issuer.open(gateway.current.url);
    const { page, problems } = await open();
    const link = page.getByRole('link', { name: 'Sign in with Example account' });

    issuer.as('nobody', { email: 'nobody@example.com', name: 'Nobody', groups: [] });
    await page.goto('/console/users?role=admin');
    await link.waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await link.press('Enter');
    await page.getByRole('alert').getByText('has no role here').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    issuer.as('ada', { email: 'ada.byron@example.com', name: 'Ada Byron', groups: ['gateway-admins'] });
    await link.press('Enter');
    await page.getByRole('heading', { name: 'Users', level: 1 }).waitFor();
    expect(new URL(page.url()).search).toContain('role=admin');
    await page.goto('/console/me');
    await page.getByRole('heading', { name: 'Ada Byron' }).waitFor();

    expect(await page.getByRole('button', { name: 'Change the password' }).count()).toBe(0);
    expect(problems.filter((one) => !one.includes(issuer.url))).toEqual([]);
  },
);
