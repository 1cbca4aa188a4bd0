import fc from 'fast-check';
import { joinMembers, readMembers } from '../../src/domain/formats/json-members.ts';
import { permittedRequest } from '../../src/domain/permitted-request.ts';

const messages = [{ role: 'user', content: 'a "max_tokens":1, \\" {[' }];
const sent = (request: object, blocked_fields: string[] | null, max_output_tokens: number | null) =>
  JSON.parse(permittedRequest(JSON.stringify(request), { blocked_fields, max_output_tokens }));

test('a request goes upstream as the same text if its model blocks and limits nothing', () => {
  const text = '{"messages": [ ]}';

  for (const blocked_fields of [null, []])
    expect(permittedRequest(text, { blocked_fields, max_output_tokens: null })).toBe(text);
});

test('blocked fields are taken out of a request, and nothing else', () => {
  const request = { messages, service_tier: 'priority', seed: 7, web_search_options: { service_tier: 1 } };

  expect(sent(request, ['service_tier', 'n'], null)).toEqual({
    messages,
    seed: 7,
    web_search_options: { service_tier: 1 },
  });
});

test.each([
  [{}, { max_tokens: 100 }],
  [{ max_tokens: 50 }, { max_tokens: 50 }],
  [{ max_tokens: 100 }, { max_tokens: 100 }],
  [{ max_tokens: 101 }, { max_tokens: 100 }],
  [{ max_tokens: 0 }, { max_tokens: 100 }],
  [{ max_tokens: -1 }, { max_tokens: 100 }],
  [{ max_tokens: 1e300 }, { max_tokens: 100 }],
  [{ max_tokens: null }, { max_tokens: 100 }],
  [{ max_completion_tokens: 1_000_000 }, { max_completion_tokens: 100 }],
  [{ max_completion_tokens: 5 }, { max_completion_tokens: 5 }],
  [
    { max_tokens: 1_000, max_completion_tokens: 5 },
    { max_tokens: 100, max_completion_tokens: 5 },
  ],
])('of the limits %j a model with a limit of 100 receives %j', (given, expected) => {
  expect(sent({ messages, ...given }, null, 100)).toEqual({ messages, ...expected });
});

test('an integer that a double cannot hold is above the limit, and one in another field stays as it was written', () => {
  const text = '{"seed":9007199254740993,"max_tokens":9007199254740993}';

  expect(permittedRequest(text, { blocked_fields: null, max_output_tokens: 9 })).toBe(
    '{"seed":9007199254740993,"max_tokens":9}',
  );
});

test('a model that blocks max_tokens receives its limit as max_completion_tokens', () => {
  expect(sent({ messages, max_tokens: 5 }, ['max_tokens'], 100)).toEqual({ messages, max_completion_tokens: 100 });
  expect(sent({ messages, max_completion_tokens: 7 }, ['max_tokens'], 100)).toEqual({
    messages,
    max_completion_tokens: 7,
  });
});

test('the members of any object are found, with their values as they were written', () => {
  const text = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()).map((value) => JSON.stringify(value));

  fc.assert(
    fc.property(text, (json) => {
      const members = [...readMembers(json)];
      expect(joinMembers(members)).toBe(json);
      expect(members.map(({ value }) => JSON.parse(value))).toEqual(Object.values(JSON.parse(json)));
    }),
  );
});

test('a request of a long text of backslashes and quotes is cut in linear time', () => {
  const text = JSON.stringify({ messages: [{ content: '\\"'.repeat(2_000_000) }], n: 1 });

  expect(permittedRequest(text, { blocked_fields: ['n'], max_output_tokens: null })).toHaveLength(text.length - 6);
});
