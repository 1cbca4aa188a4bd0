import { randomUUID } from 'node:crypto';
import { openEnd, sealEnd } from '../../src/auth/sealed-end.ts';
import { createSecrets } from '../../src/auth/secrets.ts';

const [a, b, c] = ['a', 'b', 'c'].map((letter) => createSecrets(letter.repeat(32))) as [Secrets, Secrets, Secrets];
type Secrets = ReturnType<typeof createSecrets>;
const [job, other] = [randomUUID(), randomUUID()];
const end = { status: 'cancelled', audit_entry: '{"user_id":"grace"}' } as const;

test('a sealed command opens for its job alone, and shows nothing of what is in it', () => {
  const sealed = sealEnd(a, job, end);

  expect(openEnd(a, job, sealed)).toEqual(end);
  expect(openEnd(a, other, sealed)).toBeUndefined();
  expect(Buffer.from(sealed, 'base64url').toString('latin1')).not.toContain('grace');
});

test('a command that was sealed before MASTER_KEY was exchanged is valid while MASTER_KEY_PREVIOUS is set, in either step of the exchange (spec 15.7)', () => {
  const sealed = sealEnd(a, job, end);
  const [first, second] = [
    createSecrets('a'.repeat(32), 'b'.repeat(32)),
    createSecrets('b'.repeat(32), 'a'.repeat(32)),
  ];

  for (const secrets of [first, second]) {
    expect(openEnd(secrets, job, sealed)).toEqual(end);
    expect(openEnd(secrets, job, sealEnd(first, job, end))).toEqual(end);
    expect(openEnd(secrets, job, sealEnd(second, job, end))).toEqual(end);
  }
  expect(openEnd(b, job, sealed)).toBeUndefined();
});

const sealed = Buffer.from(sealEnd(a, job, end), 'base64url');
const changed = (index: number) => {
  const copy = Buffer.from(sealed);
  copy[index]! ^= 1;
  return copy.toString('base64url');
};

test.each([
  ['nothing', ''],
  ['text', 'completed'],
  ['the command itself', JSON.stringify(end)],
  ['a command with another key id', changed(0)],
  ['a command with another first byte of its nonce', changed(8)],
  ['a command with another tag', changed(20)],
  ['a command with another last byte', changed(sealed.length - 1)],
  ['the beginning of a command', sealed.subarray(0, -1).toString('base64url')],
  ['a command with a short tag', sealed.subarray(0, 24).toString('base64url')],
  ['a command that was sealed with another MASTER_KEY', sealEnd(c, job, end)],
  ['what is sealed with the key for something else', a.seal(JSON.stringify(end), job).toString('base64url')],
])('%s is no command', (_, text) => {
  expect(openEnd(a, job, text)).toBeUndefined();
});
