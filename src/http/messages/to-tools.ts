import { isGiven } from '../../domain/is-given.ts';
import { InvalidRequest, invalid } from '../../errors.ts';
import { findClientTool } from './anthropic-tools.ts';
import type { Block, InputMessage } from './blocks.ts';
import type { CountTokensBody, InputTool } from './messages-request.ts';
import { cacheMark, leaveOut, type Path, type Translating } from './to-parts.ts';

/** The tools of a message as functions of a chat completion. `spec 28.6` */

interface ChatTool {
  type: 'function';
  function: Record<string, unknown> & { name: string };
  cache_control?: unknown;
}

interface ToolFields {
  tools?: ChatTool[];
  tool_choice?: unknown;
  parallel_tool_calls?: false;
}

const noParameters = { type: 'object', properties: {} };

const isCustom = ({ type }: InputTool): boolean => !isGiven(type) || type === 'custom';

function toChatTool(tool: InputTool, path: Path): ChatTool | undefined {
  const own = isCustom(tool) ? undefined : findClientTool(tool.type!);
  if (!own && !isCustom(tool)) return undefined;
  const name = tool.name ?? own?.name;
  if (!name) throw invalid([...path, 'name'], 'Field required', 'missing');
  const description = tool.description ?? own?.description;
  return {
    type: 'function',
    function: {
      name,
      ...(isGiven(description) && { description }),
      parameters: own?.parameters ?? tool.input_schema ?? noParameters,
      ...(isGiven(tool.strict) && { strict: tool.strict }),
    },
    ...cacheMark(tool as Pick<Block, 'cache_control'>),
  };
}

/** A change of the tools in a message: its name, and the tool where it defines one. */
interface ToolChange {
  kind: 'add' | 'remove';
  name: string | undefined;
  definition?: InputTool;
}

function changesOf(block: Block): ToolChange[] {
  if (block.type === 'tool_result')
    return Array.isArray(block.content) ? (block.content as Block[]).flatMap(changesOf) : [];
  if (block.type === 'tool_reference') return [{ kind: 'add', name: block.tool_name as string }];
  if (block.type !== 'tool_addition' && block.type !== 'tool_removal') return [];
  const { name, definition } = block.tool as { name?: string; definition?: InputTool };
  const kind = block.type === 'tool_addition' ? 'add' : 'remove';
  return [{ kind, name: name ?? definition?.name ?? undefined, ...(definition && { definition }) }];
}

/** The tools that are known by their names, and which of them the model is offered. */
class Tools {
  private readonly known = new Map<string, ChatTool>();
  private readonly offered = new Set<string>();

  add(tool: ChatTool, isDeferred: boolean): void {
    const { name } = tool.function;
    this.known.set(name, tool);
    if (!isDeferred) this.offered.add(name);
  }

  change({ kind, name, definition }: ToolChange): void {
    const defined = definition && toChatTool(definition, ['body', 'messages']);
    if (defined) this.add(defined, true);
    if (!name) return;
    if (kind === 'add') this.offered.add(name);
    else this.offered.delete(name);
  }

  list(): ChatTool[] {
    return [...this.known].filter(([name]) => this.offered.has(name)).map(([, tool]) => tool);
  }
}

/**
 * The tools that the model is offered now: those that are not deferred, and those that the messages have named or defined since, without
 * those that they have taken away.
 */
function offeredTools(
  translating: Translating,
  declared: readonly InputTool[],
  messages: readonly InputMessage[],
): ChatTool[] {
  const tools = new Tools();
  for (const [index, tool] of declared.entries()) {
    const path = ['body', 'tools', index];
    const chatTool = toChatTool(tool, path);
    if (chatTool) tools.add(chatTool, tool.defer_loading === true);
    else leaveOut(translating, path);
  }
  const blocks = messages.flatMap(({ content }) => (Array.isArray(content) ? (content as Block[]) : []));
  for (const change of blocks.flatMap(changesOf)) tools.change(change);
  return tools.list();
}

const unsupported = (path: Path) =>
  new InvalidRequest([
    { loc: path, msg: 'Tools that the provider runs are not supported here', type: 'unsupported_value' },
  ]);

type Choice = { type: string; name?: string; disable_parallel_tool_use?: boolean | null };

const choices: Record<string, string> = { auto: 'auto', any: 'required', none: 'none' };

const toChoice = ({ type, name }: Choice): unknown =>
  type === 'tool' ? { type: 'function', function: { name } } : choices[type];

/** The tools, and which of them the model may call. Throws where only tools are named that the provider would have to run. */
export function toTools(
  translating: Translating,
  { tools, tool_choice, messages }: Pick<CountTokensBody, 'tools' | 'tool_choice' | 'messages'>,
): ToolFields {
  const all = tools ?? [];
  const choice = (tool_choice ?? undefined) as Choice | undefined;
  const offered = offeredTools(translating, all, messages);
  const isHosted = (tool: InputTool) => !isCustom(tool) && !findClientTool(tool.type!);
  if (choice?.type === 'tool' && all.some((tool) => isHosted(tool) && tool.name === choice.name))
    throw unsupported(['body', 'tool_choice', 'name']);
  if (all.length > 0 && all.every(isHosted)) throw unsupported(['body', 'tools']);
  if (offered.length === 0) return {};
  return {
    tools: offered,
    ...(choice && { tool_choice: toChoice(choice) }),
    ...(choice?.disable_parallel_tool_use === true && { parallel_tool_calls: false }),
  };
}
