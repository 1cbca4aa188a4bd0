import { adminRoles, mayChangePasswordOfOthers, mayManage } from '../../src/domain/admin-roles.ts';

test('an owner manages all accounts, an admin those of role user, and a user none (spec 12.6)', () => {
  const managed = Object.fromEntries(
    adminRoles.map((own) => [own, adminRoles.filter((other) => mayManage(own, other))]),
  );

  expect(managed).toEqual({ owner: ['owner', 'admin', 'user'], admin: ['user'], user: [] });
  expect(adminRoles.filter(mayChangePasswordOfOthers)).toEqual(['owner']);
});
