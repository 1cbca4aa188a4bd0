/** Components that every operation shares and no route declares. */

const bearer = (description: string, bearerFormat?: string) => ({
  type: 'http',
  scheme: 'bearer',
  description,
  ...(bearerFormat ? { bearerFormat } : {}),
});

export const securitySchemes = {
  virtualKey: bearer('The virtual key of a team', 'sk-…'),
  platformKey: bearer('The platform key: MASTER_KEY'),
  platformKeyHeader: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Admin-Key',
    description: 'The platform key by its older header. It decides if both headers are present.',
  },
  adminToken: bearer('The access token of an admin user, from login or set-up', 'JWT'),
  sessionCookie: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-gateway-session-0123456789',
    description:
      'The session of a browser, from `POST /api/session`. Read only without the headers of the other credentials. The ten ' +
      'characters at its end are those of the installation, and over plain http on a loopback address it is without `__Host-`.',
  },
};

export const parameters = {
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    required: false,
    description:
      'Returned in the answer and written to the log; anything but 1 to 128 visible ASCII characters is replaced',
    schema: { type: 'string' },
  },
};

const header = (type: 'string' | 'integer', description: string) => ({ description, schema: { type } });

const teamLimits = (name: string, noun: string) => ({
  [`x-ratelimit-limit-${name}`]: header('integer', `How many ${noun} the team has a minute`),
  [`x-ratelimit-remaining-${name}`]: header('integer', `How many ${noun} remain`),
  [`x-ratelimit-reset-${name}`]: header('string', 'When the minute ends: a duration, such as `12s`'),
});

const anthropicLimits = (name: string, noun: string) => ({
  [`anthropic-ratelimit-${name}-limit`]: header('integer', `How many ${noun} the team has a minute`),
  [`anthropic-ratelimit-${name}-remaining`]: header('integer', `How many ${noun} remain`),
  [`anthropic-ratelimit-${name}-reset`]: header('string', 'When the minute ends: RFC 3339'),
});

export const headers = {
  'X-Request-Id': header('string', "The request's id, the caller's own or a new one"),
  'WWW-Authenticate': header('string', '`Bearer`'),
  'Retry-After': header('integer', 'Seconds after which the request can be repeated'),
  'X-RateLimit-Limit': header(
    'integer',
    'What the limit allows in its window: a minute, or 15 minutes of failed logins',
  ),
  'X-RateLimit-Remaining': header('integer', 'What remains of it'),
  'X-RateLimit-Reset': header('integer', 'When the window ends: Unix time in seconds'),
  ...teamLimits('requests', 'calls'),
  ...teamLimits('tokens', 'tokens'),
  ...anthropicLimits('requests', 'calls'),
  ...anthropicLimits('tokens', 'tokens'),
  'request-id': header('string', 'The same as `X-Request-Id`'),
  'X-Token-Count': header('string', '`estimated`: the upstream was not asked'),
  'retry-after-ms': header('integer', '`Retry-After` in milliseconds'),
  'x-should-retry': header('string', '`false` if a repetition would have the same answer'),
  'X-Ignored-Fields': header(
    'string',
    'What was left out of the request: names of fields, as `messages[].name`, and of parameters of its query',
  ),
  'Idempotent-Replayed': header('string', '`true` if this answer was sent before'),
  Location: header('string', 'The path where what goes on is read'),
  'Preference-Applied': header('string', '`respond-async`'),
  'X-Job-Id': header('string', 'The job of the call, once there is one'),
  'X-Call-Id': header('string', 'The call, once it is recorded'),
  'X-Job-Deadline': header('string', 'When the job takes no more calls, if it has a deadline'),
  'X-Job-Remaining': header(
    'string',
    'What remains of its budget, of what is capped: `calls=7, tokens=51200, usd=0.42`',
  ),
  'X-Total-Count': header('integer', 'How many entries match in all, with `count=exact`'),
  'X-Next-Cursor': header('string', 'The `cursor` of the next page, if there is one'),
  'Cache-Control': header(
    'string',
    '`no-store` where the answer shows a secret, `no-cache` for a stream, else `private, no-store`',
  ),
  Vary: header(
    'string',
    '`Authorization, X-Admin-Key, X-Api-Key`, and `Cookie` with a session by cookie: the answer is for this caller only',
  ),
  'Set-Cookie': header('string', 'The cookie of the session, or an empty one that makes the browser forget it'),
  'X-Accel-Buffering': header('string', '`no`: a proxy in between passes each event on as it comes'),
};
