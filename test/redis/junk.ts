/** Texts of many kinds that this service does not publish about a call. None of them is a frame. */
export function junkAbout(callId: string): string[] {
  const frame = { callId, attempt: 1, seq: 2, type: 'delta', delta: { content: 'FORGED' } };
  const end = { callId, attempt: 1, seq: 2, type: 'end' };
  const usage = { promptTokens: 1, completionTokens: 1, totalTokens: 2 };
  const succeeded = { status: 'succeeded', finishReason: 'stop', usage, latencyMs: 1 };
  const values: unknown[] = [
    null,
    true,
    17,
    'a text',
    [],
    [frame],
    {},
    { ...frame, callId: 'another-call' },
    { ...frame, callId: [callId] },
    { ...frame, type: 'unknown' },
    { ...frame, type: ['delta'] },
    ...[-1, 1.5, 1e308, 2 ** 53, '2', null, [2], {}].map((seq) => ({ ...frame, seq })),
    ...[-1, 0, 1.5, 1e9, 1e308, '1', null, undefined, {}].map((attempt) => ({ ...frame, attempt })),
    ...[undefined, null, 'text', 5, [], { content: 5 }, { content: null }, { content: ['x'] }].map((delta) => ({
      ...frame,
      delta,
    })),
    ...[null, {}, 'x', [null], ['x'], [{}], [{ index: -1 }], [{ index: 4_294_967_295 }], [{ index: '0' }]].map(
      (tool_calls) => ({ ...frame, delta: { tool_calls } }),
    ),
    ...[null, 'x', [], { name: 5 }, { arguments: {} }].map((called) => ({
      ...frame,
      delta: { tool_calls: [{ index: 0, function: called }] },
    })),
    ...[
      undefined,
      null,
      [],
      'succeeded',
      {},
      { status: 'unknown' },
      { status: 'succeeded' },
      { ...succeeded, usage: null },
      { ...succeeded, usage: { ...usage, totalTokens: '2' } },
      { ...succeeded, finishReason: 5 },
      { ...succeeded, latencyMs: 'soon' },
      { ...succeeded, message: 'FORGED' },
      { ...succeeded, message: { content: 'FORGED', toolCalls: [null] } },
      { ...succeeded, job: {} },
      { ...succeeded, job: { status: 'pending' } },
      { status: 'failed' },
      { status: 'failed', error: { toString: 'x' } },
      { status: 'refused' },
    ].map((one) => ({ ...end, end: one })),
  ];
  return [
    '',
    'x',
    '{',
    'undefined',
    '\0\u2028\ud800',
    '1e400',
    '9'.repeat(10_000),
    '['.repeat(100_000),
    `${'{"__proto__":'.repeat(5_000)}1${'}'.repeat(5_000)}`,
    `{"callId":"${callId}","__proto__":${JSON.stringify(frame)}}`,
    `{"callId":"${callId}","constructor":{"prototype":{"type":"end"}}}`,
    JSON.stringify({ ...frame, delta: { content: 'F'.repeat(5 * 1_048_576) } }),
    'x'.repeat(6 * 1_048_576),
    ...values.map((value) => JSON.stringify(value)),
  ];
}
