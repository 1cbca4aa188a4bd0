import { userOfMessages } from '../../../src/http/v1/user-of-messages.ts';

test.each([
  ['ann', 'ann'],
  ['12345', '12345'],
  ['{ann}', '{ann}'],
  ['José', 'José'],
  ['u'.repeat(255), 'u'.repeat(255)],
  ['u'.repeat(256), null],
  ['{"device_id":"d","account_uuid":"","session_id":"s"}', null],
  [' ["ann"]', null],
  ['', null],
  ['a\n', null],
  [null, null],
  [undefined, null],
  [7, null],
])('the metadata.user_id %j of Messages makes the user %j (spec 27.1, spec 28.1)', (sent, user) => {
  expect(userOfMessages(sent)).toBe(user);
});
