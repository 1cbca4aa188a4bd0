import { startGateway } from '../../support/gateway.ts';
import { expectOk } from '../../support/given.ts';
import { adminsIn, forAdmins } from './admins.ts';

/** An installation of its own for each: there is to be one owner, or two, and no other. */
async function withAdmins(work: (admins: ReturnType<typeof adminsIn>) => Promise<void>): Promise<void> {
  const gateway = await startGateway(forAdmins);
  try {
    await work(adminsIn({ current: gateway }));
  } finally {
    await gateway.close();
  }
}

test('the last active owner can be neither demoted nor deactivated (spec 12.7)', () =>
  withAdmins(async (admins) => {
    const { userId, token } = await admins.owner();
    const other = await admins.created({ role: 'owner' });
    const change = (who: string, body: object) => admins.send('put', `/${who}`, { token, body });
    expectOk(await change(other.user_id, { is_active: false }));

    const refused = [
      await change(userId, { role: 'admin' }),
      await change(userId, { role: 'user', is_active: true }),
      await change(userId, { is_active: false }),
    ];
    const renamed = expectOk(await change(userId, { display_name: 'Still here', role: 'owner', is_active: true }));
    expectOk(await change(other.user_id, { is_active: true }));
    const demoted = expectOk(await change(userId, { role: 'admin' }));

    for (const answer of refused) {
      expect(answer).toMatchObject({
        status: 400,
        body: { detail: 'The last active owner cannot leave, nor be demoted or deactivated' },
      });
    }
    expect(renamed).toMatchObject({ role: 'owner', is_active: true });
    expect(demoted).toMatchObject({ role: 'admin' });
  }));

test.each([
  ['demote', 'put', { role: 'user' }],
  ['deactivate', 'put', { is_active: false }],
  ['delete', 'delete', undefined],
])('of two owners who %s each other at the same moment one remains (spec 12.7)', (_what, method, body) =>
  withAdmins(async (admins) => {
    const [first, second] = [await admins.owner(), await admins.admin('owner')];

    const answers = await Promise.all([
      admins.send(method, `/${second.userId}`, { token: first.token, body }),
      admins.send(method, `/${first.userId}`, { token: second.token, body }),
    ]);

    const winner = answers[0].status === 200 ? first : second;
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const users = expectOk(await admins.send('get', '', { token: winner.token }));
    const owners = users.filter(
      (user: { role: string; is_active: boolean }) => user.role === 'owner' && user.is_active,
    );
    expect(owners).toMatchObject([{ user_id: winner.userId }]);
  }),
);
