import { readCallResult } from '../../../src/db/calls/read-call-result.ts';
import { gatewayForTests } from '../../support/gateway.ts';
import { expectOk, givenIn } from '../../support/given.ts';
import { joinEvents, messagesWith, readNamedEvents } from './messages.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);

const rivers = [{ role: 'user', content: 'One river, two rivers, END of rivers' }];

test.each<[string, object, { stop_reason: string; stop_sequence: string | null }]>([
  ['an upstream names', { stop_sequences: ['END', 'seas'] }, { stop_reason: 'stop_sequence', stop_sequence: 'END' }],
  ['the answer does not have', { stop_sequences: ['seas'] }, { stop_reason: 'end_turn', stop_sequence: null }],
  ['nobody has asked for', {}, { stop_reason: 'end_turn', stop_sequence: null }],
  [
    'comes after the most tokens',
    { stop_sequences: ['END'], max_tokens: 2 },
    { stop_reason: 'max_tokens', stop_sequence: null },
  ],
])('a stop sequence that %s is shown so, whole, streamed and in the record (spec 28.7)', async (_, fields, stop) => {
  const team = await given.team({ models: ['sim-echo-names-stop'] });
  const messages = messagesWith(gateway, team);

  const whole = await messages({ messages: rivers, ...fields });
  const streamed = await messages({ messages: rivers, stream: true, ...fields });

  expect(expectOk(whole)).toMatchObject(stop);
  expect(joinEvents(readNamedEvents(streamed.text))).toMatchObject(stop);
  for (const answer of [whole, streamed]) {
    const recorded = await readCallResult(gateway.current.deps.database, answer.headers.get('x-call-id')!);
    const { stopSequence = null } = recorded as { stopSequence?: string };
    expect(stopSequence).toBe(stop.stop_sequence);
  }
});

test('an answer that a stop sequence ends before its first word is an answer (spec 28.7)', async () => {
  const team = await given.team({ models: ['sim-echo-names-stop'] });
  const fields = { messages: [{ role: 'user', content: 'END' }], stop_sequences: ['END'] };

  for (const stream of [false, true]) {
    const answer = await messagesWith(gateway, team)({ ...fields, stream });
    const message = stream ? joinEvents(readNamedEvents(answer.text)) : expectOk(answer);
    expect(message).toMatchObject({ content: [], stop_reason: 'stop_sequence', stop_sequence: 'END' });
  }
});
