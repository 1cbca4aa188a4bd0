/** The types of tools that a model can call, as the client knows them. */
export const toolTypes = ['function', 'custom', 'tool_search', 'shell', 'local_shell', 'apply_patch'] as const;
export type ToolType = (typeof toolTypes)[number];

/** A tool as the client knows it. */
export interface CalledTool {
  type: ToolType;
  name: string;
  namespace?: string;
}

/** The tools by the names of their functions, without those that are plain functions of the same name. */
export type CalledTools = Readonly<Record<string, CalledTool>>;

export const toolOf = (tools: CalledTools, functionName: string): CalledTool =>
  Object.hasOwn(tools, functionName) ? tools[functionName]! : { type: 'function', name: functionName };
