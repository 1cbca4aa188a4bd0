import { oneTimeCode, stepAt } from '../../../src/auth/one-time-codes.ts';
import { violationsOf } from '../support/axe.ts';
import { testInBrowser } from '../support/chromium.ts';
import { consoleForTests } from '../support/console-for-tests.ts';

const { gateway, owner, openAsOwner } = consoleForTests();

testInBrowser(
  'by keys alone a person switches the second factor on, signs in with a code and switches it off (spec 12.31)',
  async () => {
    const { page, problems } = await openAsOwner('/me');
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Switch it on' }).focus();
    await page.keyboard.press('Enter');
    await dialog.getByLabel('Current password').waitFor();
    await page.keyboard.type(owner.password);
    await page.keyboard.press('Enter');
    await dialog.getByRole('img', { name: 'QR code of the secret' }).waitFor();
    const secret = (await dialog.locator('pre').textContent())!;
    expect(await violationsOf(page)).toEqual([]);
    await dialog.getByRole('textbox', { name: 'Code' }).focus();
    await page.keyboard.type(oneTimeCode(secret, stepAt(Date.now())));
    await page.keyboard.press('Enter');
    await dialog.getByRole('heading', { name: 'The second factor is on' }).waitFor();
    const recovery = (await dialog.locator('pre').textContent())!.split('\n');
    expect(await violationsOf(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'I have stored the codes' }).press('Enter');
    await page.getByRole('button', { name: 'Switch it off' }).waitFor();

    await page.getByRole('button', { name: 'Sign out' }).press('Enter');
    await page.getByLabel('E-mail').fill(owner.email);
    await page.getByLabel('Password').fill(owner.password);
    problems.length = 0;
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'Code' }).waitFor();
    // The browser logs each answer with an error; nothing else may be wrong.
    expect(problems.filter((one) => !one.includes('401'))).toEqual([]);
    problems.length = 0;
    expect(await violationsOf(page)).toEqual([]);
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await page.evaluate('document.activeElement.name')).toBe('code');
    await page.keyboard.type(recovery[0]!.toLowerCase());
    await page.keyboard.press('Enter');
    await page.getByRole('navigation', { name: 'Pages' }).waitFor();

    await page.goto('/console/me');
    await page.getByRole('button', { name: 'Switch it off' }).press('Enter');
    await dialog.getByLabel('Current password').fill(owner.password);
    await dialog.getByRole('textbox', { name: 'Code' }).fill(recovery[1]!);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Switch it on' }).waitFor();

    expect(recovery).toHaveLength(10);
    expect(problems).toEqual([]);
    const { rows } = await gateway.current.deps.database.pool.query(
      'select second_factor_at from admin_users where email = $1',
      [owner.email],
    );
    expect(rows).toEqual([{ second_factor_at: null }]);
  },
);
