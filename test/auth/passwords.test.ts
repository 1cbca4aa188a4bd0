import { createPasswords } from '../../src/auth/passwords.ts';
import { networkHolder } from '../../src/holders/holder.ts';
import { createApiMeasures } from '../../src/holders/measures.ts';

const { hash, matches } = createPasswords(4);

test('a password matches its own hashes, and other passwords do not', async () => {
  const [one, again] = await Promise.all([hash('correct horse'), hash('correct horse')]);

  expect(one).toMatch(/^\$2b\$04\$/);
  expect(one).not.toBe(again);
  expect(await matches('correct horse', one)).toBe(true);
  expect(await matches('correct horse', again)).toBe(true);
  expect(await matches('correct Horse', one)).toBe(false);
  expect(await matches('', one)).toBe(false);
});

test.each([
  ['past the 72nd byte', `${'x'.repeat(1_000)}a`, `${'x'.repeat(1_000)}b`],
  ['after a NUL', 'before\u0000a', 'before\u0000b'],
  ['in the last of many wide characters', `${'ü'.repeat(500)}ä`, `${'ü'.repeat(500)}ö`],
  ['in a trailing space', 'password', 'password '],
  ['in how a letter is composed', 'é', 'e\u0301'],
])('passwords that differ %s do not match', async (_where, one, other) => {
  const hashed = await hash(one);

  expect(await matches(one, hashed)).toBe(true);
  expect(await matches(other, hashed)).toBe(false);
});

test('no password matches if there is no hash', async () => {
  expect(await matches('', undefined)).toBe(false);
  expect(await matches('correct horse', undefined)).toBe(false);
});

test('a comparison without a hash takes as long as one with a hash', async () => {
  const { hash, matches } = createPasswords(10);
  const hashed = await hash('correct horse');
  // The shortest of several, because other work on the machine only makes it longer.
  const timeOf = async (against: string | undefined) => {
    let shortest = Number.POSITIVE_INFINITY;
    for (let sample = 0; sample < 5; sample += 1) {
      const begin = performance.now();
      await matches('wrong', against);
      shortest = Math.min(shortest, performance.now() - begin);
    }
    return shortest;
  };

  const [known, unknown] = [await timeOf(hashed), await timeOf(undefined)];

  // Without the same work it would be about a hundredth.
  expect(unknown).toBeGreaterThan(known / 4);
});

test('many comparisons at once leave threads free for other work', async () => {
  const { matches } = createPasswords(10);
  const { passwords } = createApiMeasures({ HELD_BYTES: 1, MAX_WAITING_JOB_ENDS: 1 }).places;
  let compared = 0;
  const comparing = Array.from({ length: 12 }, (_, one) =>
    passwords.run(networkHolder(String(one)), () => matches('wrong', undefined)).then(() => (compared += 1)),
  );

  await crypto.subtle.digest('SHA-256', new Uint8Array(1));
  const before = compared;
  await Promise.all(comparing);

  expect(before).toBeLessThan(4);
});
