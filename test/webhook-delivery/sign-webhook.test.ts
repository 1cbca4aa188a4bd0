import { Webhook } from 'standardwebhooks';
import { newWebhookSecret, signatureHeaders } from '../../src/webhook-delivery/sign-webhook.ts';

test('the signature headers of a delivery are exactly those of Standard Webhooks (spec 11.2)', () => {
  const body =
    '{"event":"job.completed","job_id":"00000000-0000-4000-8000-000000000001","team_id":"t1","timestamp":"2026-01-01T00:00:00.000Z","data":{"total_calls":1,"duration_seconds":2}}';
  const content = { id: 'msg_2KWPBgLlAfxdpx2AI54pPJ85f4W', timestamp: 1_767_225_600, body };

  expect(signatureHeaders('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', content)).toEqual({
    'webhook-id': 'msg_2KWPBgLlAfxdpx2AI54pPJ85f4W',
    'webhook-timestamp': '1767225600',
    'webhook-signature': 'v1,bE/Q1EporSUK0GcJ/UiZjGyQ2MMVN4+KYdozqzw0I7w=',
  });
});

test('the library of Standard Webhooks accepts a signed delivery, and refuses one that was changed (spec 11.2)', () => {
  const secret = newWebhookSecret();
  const body = '{"event":"job.created","text":"日本 ✓"}';
  const headers = signatureHeaders(secret, { id: 'd', timestamp: Math.floor(Date.now() / 1_000), body });

  expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
  expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow();
  expect(() => new Webhook(newWebhookSecret()).verify(body, headers)).toThrow();
});

test('webhook secrets are 32 random bytes with the prefix of Standard Webhooks', () => {
  const secrets = Array.from({ length: 50 }, newWebhookSecret);

  expect(new Set(secrets).size).toBe(50);
  for (const secret of secrets) expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
});
