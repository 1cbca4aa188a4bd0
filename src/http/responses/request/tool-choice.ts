import { invalid } from '../../../errors.ts';
import { type CalledTool, toolTypes } from '../answer/called-tools.ts';
import { isBuiltIn } from './built-in-tools.ts';
import type { Toolbox } from './toolbox.ts';

/** A tool that the request names. */
type Named = Readonly<Record<string, unknown>>;

interface Choice {
  /** `tool_choice` of a chat completion. */
  sent: unknown;
  /** Absent: all tools are. */
  isAllowed?: (tool: CalledTool) => boolean;
}

const isKnownType = (type: unknown): boolean => (toolTypes as readonly unknown[]).includes(type);

/** Whether a tool is the one that is named; of a namespace, whether it is in it. */
const isNamed = (tool: CalledTool, { type, name, namespace }: Named): boolean => {
  if (type === 'namespace') return tool.namespace === name;
  if (tool.type !== type) return false;
  const isInNamespace = typeof namespace !== 'string' || tool.namespace === namespace;
  return isBuiltIn(String(type)) || (tool.name === name && isInNamespace);
};

const unsupported = (path: (string | number)[]) =>
  invalid(['body', 'tool_choice', ...path], 'A tool that the provider runs is not supported', 'unsupported_value');

/** The tool that the model has to call, or may. `spec 29.10` */
export function toToolChoice(choice: unknown, toolbox: Toolbox): Choice {
  if (typeof choice !== 'object' || choice === null) return { sent: choice };
  const named = choice as Named;
  const { type, mode, tools } = named;
  if (type === 'allowed_tools') {
    const allowed = (Array.isArray(tools) ? tools : []) as Named[];
    return { sent: mode ?? 'auto', isAllowed: (tool) => allowed.some((one) => isNamed(tool, one)) };
  }
  if (!isKnownType(type)) throw unsupported(['type']);
  const name = toolbox.nameOf((tool) => isNamed(tool, named));
  if (name === undefined) throw invalid(['body', 'tool_choice'], 'The tool is not among the tools of the request');
  return { sent: { type: 'function', function: { name } } };
}
