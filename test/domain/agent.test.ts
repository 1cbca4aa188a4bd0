import { findAgent, headersOfAgent } from '../../src/domain/agent.ts';

type Headers = Record<string, string | string[] | undefined>;
const find = (headers: Headers, body: Record<string, unknown> = {}) => findAgent({ headers, body });

const session = { 'x-claude-code-session-id': 's-1' };
const opencode = { 'user-agent': 'opencode/1.18.33 ai-sdk/provider-utils', 'x-session-id': 'ses_1' };
const turn = (metadata: object) => ({ client_metadata: metadata });
const kind = (request_kind: unknown) => ({ 'x-codex-turn-metadata': JSON.stringify({ request_kind }) });
const found = (name: string, taskId: string, of: string | null = null) => ({ agent: { name, class: of }, taskId });

test.each<[string, Headers, Record<string, unknown>, object]>([
  ['Claude Code', session, {}, found('claude-code', 'claude-code:s-1')],
  [
    'a class of Claude Code',
    { ...session, 'x-claude-code-request-class': 'main' },
    {},
    found('claude-code', 'claude-code:s-1', 'main'),
  ],
  [
    'a sub-agent of Claude Code',
    { ...session, 'x-claude-code-agent-id': 'a1' },
    {},
    found('claude-code', 'claude-code:s-1', 'subagent'),
  ],
  ['Codex', {}, turn({ root_turn_id: 'r', session_id: 's' }), found('codex', 'codex:r')],
  ['Codex without a turn', {}, turn({ session_id: 's' }), found('codex', 'codex:s')],
  [
    'Codex with a turn that is no task id',
    {},
    turn({ root_turn_id: 'r 1', session_id: 's' }),
    found('codex', 'codex:s'),
  ],
  ['a kind of Codex', {}, turn({ session_id: 's', ...kind('compaction') }), found('codex', 'codex:s', 'compaction')],
  ['a kind in a header', kind('turn'), turn({ session_id: 's' }), found('codex', 'codex:s', 'turn')],
  [
    'a sub-agent of Codex',
    { 'x-openai-subagent': 'collab_spawn', ...kind('turn') },
    turn({ root_turn_id: 'r' }),
    found('codex', 'codex:r', 'subagent'),
  ],
  [
    'a compaction of a sub-agent',
    { 'x-openai-subagent': 'compact', ...kind('compaction') },
    turn({ root_turn_id: 'r' }),
    found('codex', 'codex:r', 'compaction'),
  ],
  ['opencode', opencode, {}, found('opencode', 'opencode:ses_1')],
  [
    'a sub-agent of opencode',
    { ...opencode, 'x-parent-session-id': 'ses_0' },
    {},
    found('opencode', 'opencode:ses_1', 'subagent'),
  ],
  [
    'a class that is too long',
    { ...session, 'x-claude-code-request-class': 'c'.repeat(101) },
    {},
    found('claude-code', 'claude-code:s-1'),
  ],
])('%s is recognized with its task and its class (spec 27.2, spec 27.5)', (_, headers, body, expected) => {
  expect(find(headers, body)).toEqual(expected);
});

test.each<[string, Headers, Record<string, unknown>]>([
  ['nothing', {}, {}],
  ['a session of another client', { 'x-session-id': 'ses_1', 'user-agent': 'chat/1.0' }, {}],
  ['opencode without a session', { 'user-agent': 'opencode/1.0' }, {}],
  ['an empty session', { 'x-claude-code-session-id': '' }, {}],
  ['a session with a blank', { 'x-claude-code-session-id': 'a b' }, {}],
  ['a session of 244 characters', { 'x-claude-code-session-id': 's'.repeat(244) }, {}],
  ['two sessions', { 'x-claude-code-session-id': ['a', 'b'] }, {}],
  ['client_metadata of another type', {}, { client_metadata: 'root_turn_id' }],
  ['a turn of another type', {}, turn({ root_turn_id: 7, session_id: null })],
])('%s is no agent (spec 27.2)', (_, headers, body) => {
  expect(find(headers, body)).toBeUndefined();
});

test('a session of 243 characters makes a task id of 255 (spec 27.2)', () => {
  expect(find({ 'x-claude-code-session-id': 's'.repeat(243) })?.taskId).toHaveLength(255);
});

test('X-Session-Id is a part of the request of opencode only', () => {
  expect(headersOfAgent({ 'user-agent': 'chat/1.0' })).toEqual(['x-claude-code-session-id']);
  expect(headersOfAgent(opencode)).toEqual(['x-claude-code-session-id', 'x-session-id']);
});
