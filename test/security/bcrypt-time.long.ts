import { figures, percentile } from '../faults/support/figures.ts';
import { type Admin, givenAdmin, givenOwner, logIn } from './support/admins.ts';
import { installationForTests } from './support/installation.ts';

const installation = installationForTests({ worker: false, settings: { TRUST_PROXY: '1' } });
let owner: Admin;

beforeAll(async () => {
  const { url, masterKey } = installation.current;
  owner = await givenOwner(url, masterKey);
  for (let n = 0; n < 3; n += 1) await givenAdmin(url, owner, 'user');
});

test.each(['10', '12'])(
  'a refused login with BCRYPT_COST=%s takes about the same time for an account of cost 10 and for no account',
  async (BCRYPT_COST) => {
    const api = await installation.current.startApi({ BCRYPT_COST });
    let n = 0;
    const time = async (email: string) => {
      n += 1;
      const startedAt = performance.now();
      const { status } = await logIn(api.url, { email, password: 'not-that-one', from: `198.51.100.${n}` });
      expect(status).toBe(401);
      return performance.now() - startedAt;
    };
    await time('nobody@example.com');

    const [known, unknown]: [number[], number[]] = [[], []];
    for (let round = 0; round < 15; round += 1) {
      known.push(await time(owner.email));
      unknown.push(await time(`nobody-${round}@example.com`));
    }

    const [withAccount, without] = [percentile(known, 0.5), percentile(unknown, 0.5)];
    figures('time of a refused login', {
      [`cost ${BCRYPT_COST}: account of cost 10, none`]: `${Math.round(withAccount)}, ${Math.round(without)} ms`,
    });
    expect(without / withAccount).toBeLessThan(1.6);
    expect(withAccount / without).toBeLessThan(1.6);
  },
);
