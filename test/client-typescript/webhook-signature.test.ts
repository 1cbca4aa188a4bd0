import { Webhook } from 'standardwebhooks';
import { verifyWebhook, WebhookVerificationError } from '../../clients/typescript/src/index.ts';
import { newWebhookSecret, signatureHeaders } from '../../src/webhook-delivery/sign-webhook.ts';

const secret = newWebhookSecret();
const body = JSON.stringify({ event: 'webhook.test', data: { webhook_id: '日本 ✓' } });
const now = () => Math.floor(Date.now() / 1_000);
const signed = (fields: { key?: string; timestamp?: number; text?: string } = {}): Record<string, string> => ({
  ...signatureHeaders(fields.key ?? secret, {
    id: 'd-1',
    timestamp: fields.timestamp ?? now(),
    body: fields.text ?? body,
  }),
});
const refusal = (message: RegExp) =>
  expect.objectContaining({ name: 'WebhookVerificationError', message: expect.stringMatching(message) });

test('a delivery is verified as text or bytes, with headers of any kind (clients 6)', async () => {
  const headers = signed();
  const bytes = new TextEncoder().encode(body);
  const capitalized = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
  const lists = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));

  for (const raw of [body, bytes, Buffer.from(bytes), bytes.buffer])
    for (const form of [headers, capitalized, lists, new Headers(headers)])
      expect(await verifyWebhook(raw, form, secret)).toEqual(JSON.parse(body));
});

test('a delivery that the library of Standard Webhooks has signed is verified (clients 6)', async () => {
  const at = new Date();
  const signature = new Webhook(secret).sign('d-1', at, body);
  const timestamp = String(Math.floor(at.getTime() / 1_000));

  const event = await verifyWebhook(
    body,
    { ...signed(), 'webhook-timestamp': timestamp, 'webhook-signature': signature },
    secret,
  );

  expect(event.event).toBe('webhook.test');
});

test('while a secret is replaced, both are accepted, on either side (clients 6)', async () => {
  const next = newWebhookSecret();
  const both = `${signed({ key: next })['webhook-signature']} v1a,xyz ${signed()['webhook-signature']}`;

  expect(await verifyWebhook(body, signed({ key: next }), [secret, next])).toEqual(JSON.parse(body));
  expect(await verifyWebhook(body, { ...signed(), 'webhook-signature': both }, secret)).toEqual(JSON.parse(body));
  await expect(verifyWebhook(body, signed({ key: next }), [secret])).rejects.toThrow(WebhookVerificationError);
  await expect(verifyWebhook(body, signed(), [])).rejects.toThrow(WebhookVerificationError);
});

test.each([
  ['another body', `${body} `, () => signed(), /signature/],
  ['another id', body, () => ({ ...signed(), 'webhook-id': 'd-2' }), /signature/],
  ['another time', body, () => ({ ...signed(), 'webhook-timestamp': String(now() - 7) }), /signature/],
  ['a signature that is no base64', body, () => ({ ...signed(), 'webhook-signature': 'v1,%%%' }), /signature/],
  ['an empty signature', body, () => ({ ...signed(), 'webhook-signature': 'v1,' }), /signature/],
  [
    'a signature of another version',
    body,
    () => ({ ...signed(), 'webhook-signature': signed()['webhook-signature']!.replace('v1,', 'v2,') }),
    /signature/,
  ],
  ['a time that is none', body, () => ({ ...signed(), 'webhook-timestamp': '1e9' }), /no time/],
  ['a delivery of six minutes ago', body, () => signed({ timestamp: now() - 360 }), /too old/],
  ['a delivery in six minutes', body, () => signed({ timestamp: now() + 360 }), /future/],
  ['no signature', body, () => ({ ...signed(), 'webhook-signature': undefined }), /webhook-signature is missing/],
  ['no id', body, () => ({}), /webhook-id is missing/],
] as const)('%s is refused (clients 6)', async (_, raw, headers, message) => {
  await expect(verifyWebhook(raw, headers(), secret)).rejects.toEqual(refusal(message));
});

test('the tolerance can be set (clients 6)', async () => {
  const old = signed({ timestamp: now() - 3_000 });

  expect(await verifyWebhook(body, old, secret, { toleranceSeconds: 3_600 })).toEqual(JSON.parse(body));
  await expect(
    verifyWebhook(body, signed({ timestamp: now() - 20 }), secret, { toleranceSeconds: 10 }),
  ).rejects.toEqual(refusal(/too old/));
});

test('parsed JSON and a secret that is none are mistakes of the program (clients 6)', async () => {
  await expect(verifyWebhook(JSON.parse(body), signed(), secret)).rejects.toThrow(/as it came/);
  await expect(verifyWebhook(body, signed(), 'whsec_')).rejects.toThrow(/whsec_/);
  await expect(verifyWebhook(body, signed(), 'whsec_%')).rejects.toThrow(/whsec_/);
});
