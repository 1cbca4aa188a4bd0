import { keyOfJson, ownKey } from './formats/json-key.ts';
import { isTaskId, type TaskIdRequest } from './task-id.ts';

/** The agents that are known by what they send. `spec 27.2` */
export const agentNames = ['claude-code', 'codex', 'opencode'] as const;
export type AgentName = (typeof agentNames)[number];

/** The agent that makes a call. */
export interface CallAgent {
  name: AgentName;
  /** What the agent makes the call for, in its own words; null: it does not state that. */
  class: string | null;
}

/** What a request has of its agent. */
export interface FoundAgent {
  agent: CallAgent;
  /** Of the session or the turn. */
  taskId: string;
}

const claudeSession = 'x-claude-code-session-id';
const opencodeSession = 'x-session-id';
const subagent = 'subagent';

const isOpencode = (headers: TaskIdRequest['headers']): boolean =>
  String(headers['user-agent']).startsWith('opencode/');

/** The headers by which an agent names its session, in lower case. */
export const headersOfAgent = (headers: TaskIdRequest['headers']): string[] =>
  isOpencode(headers) ? [claudeSession, opencodeSession] : [claudeSession];

/** Null for anything that is no short text. */
const toClass = (value: unknown): string | null =>
  typeof value === 'string' && /^[\x20-\x7e]{1,100}$/.test(value) ? value : null;

/** Undefined for a value that makes no task id: it counts as absent. */
function taskOf(name: AgentName, value: unknown): string | undefined {
  const taskId = `${name}:${typeof value === 'string' ? value : ''}`;
  return isTaskId(value) && isTaskId(taskId) ? taskId : undefined;
}

function classOfCodex({ headers, body }: TaskIdRequest): string | null {
  const turn = 'x-codex-turn-metadata';
  const kind =
    toClass(keyOfJson(ownKey(body.client_metadata, turn), 'request_kind')) ??
    toClass(keyOfJson(headers[turn], 'request_kind'));
  // Its sub-agents have the kind of any turn.
  return headers['x-openai-subagent'] !== undefined && (kind === null || kind === 'turn') ? subagent : kind;
}

/** The agent of a request, with the task that it names; undefined for any other client. */
export function findAgent(request: TaskIdRequest): FoundAgent | undefined {
  const { headers, body } = request;
  const isSubagent = (header: string) => (headers[header] === undefined ? null : subagent);
  const claude = taskOf('claude-code', headers[claudeSession]);
  if (claude) {
    const given = toClass(headers['x-claude-code-request-class']);
    const agent = { name: 'claude-code', class: given ?? isSubagent('x-claude-code-agent-id') } as const;
    return { agent, taskId: claude };
  }
  const metadata = body.client_metadata;
  const codex = taskOf('codex', ownKey(metadata, 'root_turn_id')) ?? taskOf('codex', ownKey(metadata, 'session_id'));
  if (codex) return { agent: { name: 'codex', class: classOfCodex(request) }, taskId: codex };
  const opencode = isOpencode(headers) ? taskOf('opencode', headers[opencodeSession]) : undefined;
  if (!opencode) return undefined;
  const agent = { name: 'opencode', class: isSubagent('x-parent-session-id') } as const;
  return { agent, taskId: opencode };
}
