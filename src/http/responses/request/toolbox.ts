import { isGiven } from '../../../domain/is-given.ts';
import type { CalledTool, CalledTools, ToolType } from '../answer/called-tools.ts';
import { builtInTools, isBuiltIn } from './built-in-tools.ts';
import { functionName } from './tool-names.ts';

/** A tool as the client sends it. */
export type SentTool = Readonly<Record<string, unknown>> & { type: string };

/** A tool as the model receives it. */
interface ChatTool {
  type: 'function';
  function: Record<string, unknown>;
}

/** A tool of the request, under the name of its function. */
interface KnownTool extends CalledTool {
  chatTool: ChatTool;
}

/** A function without parameters has an empty object. */
const noParameters = { type: 'object', properties: {} };

const given = (fields: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => isGiven(value)));

interface CustomFormat {
  type?: string;
  syntax?: string;
  definition?: string;
}

/** A model that knows only functions is told the grammar. */
function describeCustom({ description, format }: SentTool): string {
  const { type, syntax, definition } = (format ?? {}) as CustomFormat;
  const grammar =
    type === 'grammar' && definition ? `The input has to match this grammar (${syntax ?? 'lark'}):\n${definition}` : '';
  return [description, grammar].filter(Boolean).join('\n\n');
}

const customParameters = {
  type: 'object',
  properties: { input: { type: 'string', description: 'The whole input of the tool, as plain text' } },
  required: ['input'],
  additionalProperties: false,
};

/** What the model receives of a tool; undefined for one that only a provider runs or that is not known. */
function toFunction(tool: SentTool): Record<string, unknown> | undefined {
  const { type, description, parameters, strict, execution } = tool;
  if (type === 'function') return given({ description, parameters: parameters ?? noParameters, strict });
  if (type === 'custom') return given({ description: describeCustom(tool) || undefined, parameters: customParameters });
  if (!isBuiltIn(type) || (type === 'tool_search' && execution !== 'client')) return undefined;
  if (type !== 'tool_search') return builtInTools[type];
  const usual = builtInTools.tool_search;
  return { description: description ?? usual.description, parameters: parameters ?? usual.parameters };
}

/** Where a tool is, as `X-Ignored-Fields` names it. */
type Place = string;

/** The tools of a request, whichever part of it they are in. A name counts once, as it came first. `spec 29.9` */
export class Toolbox {
  private readonly tools = new Map<string, KnownTool>();
  /** The tools that the model does not receive. */
  readonly leftOut: Place[] = [];

  add(tools: readonly SentTool[], place: Place, namespace?: string): void {
    for (const [index, tool] of tools.entries()) {
      const own = `${place}[${index}]`;
      if (tool.type === 'namespace' && namespace === undefined)
        this.add((tool.tools ?? []) as SentTool[], `${own}.tools`, String(tool.name));
      else this.addOne(tool, own, namespace);
    }
  }

  get isEmpty(): boolean {
    return this.tools.size === 0;
  }

  /** The tools for the model: all, or those that the request allows. */
  chatTools(isAllowed: (tool: CalledTool) => boolean = () => true): ChatTool[] {
    return [...this.tools.values()].filter(isAllowed).map(({ chatTool }) => chatTool);
  }

  /** The name of the function of the tool that a request names. */
  nameOf(isNamed: (tool: CalledTool) => boolean): string | undefined {
    return [...this.tools].find(([, tool]) => isNamed(tool))?.[0];
  }

  /** What an answer needs to show the calls of the model as the client knows the tools. */
  get calledTools(): CalledTools {
    const special = [...this.tools].filter(([, { type, namespace }]) => type !== 'function' || namespace !== undefined);
    return Object.fromEntries(
      special.map(([called, { type, name, namespace }]) => [
        called,
        { type, name, ...(namespace !== undefined && { namespace }) },
      ]),
    );
  }

  private addOne(tool: SentTool, place: Place, namespace: string | undefined): void {
    const described = toFunction(tool);
    if (!described) {
      this.leftOut.push(place);
      return;
    }
    const type = tool.type as ToolType;
    const name = isBuiltIn(type) ? type : String(tool.name);
    const called = functionName(name, namespace);
    if (this.tools.has(called)) return;
    const chatTool = { type: 'function' as const, function: { name: called, ...described } };
    this.tools.set(called, { type, name, ...(namespace !== undefined && { namespace }), chatTool });
  }
}
