import { createSecrets, keyIdBytes } from '../../src/auth/secrets.ts';

const [a, b, c] = ['a', 'b', 'c'].map((letter) => letter.repeat(32)) as [string, string, string];

test('a value that was sealed with the current or the previous key can be opened, and a value that was sealed with another key cannot', () => {
  const secrets = createSecrets(b, a);

  expect(secrets.open(createSecrets(a).seal('text', 'team'), 'team')).toBe('text');
  expect(secrets.open(secrets.seal('text', 'team'), 'team')).toBe('text');
  expect(() => secrets.open(createSecrets(c).seal('text', 'team'), 'team')).toThrow();
  expect(() => createSecrets(a).open(secrets.seal('text', 'team'), 'team')).toThrow();
});

test('a value without a key id can be opened with the previous key, and with the current key where the two have changed places', () => {
  const withoutId = createSecrets(a).seal('text', 'team').subarray(keyIdBytes);

  for (const secrets of [createSecrets(a), createSecrets(b, a), createSecrets(a, b)])
    expect(secrets.open(withoutId, 'team')).toBe('text');
  expect(() => createSecrets(b, c).open(withoutId, 'team')).toThrow();
});

test('a sealed value begins with the id of its key, which differs from key to key, and opens in its own context only', () => {
  const secrets = createSecrets(b, a);
  const sealed = secrets.seal('text', 'team');

  expect(sealed.subarray(0, keyIdBytes)).toEqual(secrets.keyId);
  expect(secrets.keyId).not.toEqual(createSecrets(a).keyId);
  expect(() => secrets.open(sealed, 'another team')).toThrow();
});

test('credentials of the previous key are accepted, and everything new is made with the current key (spec 15.7)', () => {
  const secrets = createSecrets(b, a);

  expect([a, b, c].map(secrets.isMasterKey)).toEqual([true, true, false]);
  expect(secrets.lookupHash('sk-1')).toEqual(createSecrets(b).lookupHash('sk-1'));
  expect(secrets.lookupHashes('sk-1')).toEqual([b, a].map((key) => createSecrets(key).lookupHash('sk-1')));
  expect(secrets.jwtKeys).toEqual([b, a].map((key) => createSecrets(key).jwtKey));
  expect(secrets.keySeed('operation')).toEqual(createSecrets(b).keySeed('operation'));
});
