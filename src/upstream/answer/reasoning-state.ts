import type { ReasoningFields } from './completion.ts';

/** What a model needs to go on reasoning, as it sent it: fields of the message that it wrote. */
export interface ReasoningState {
  /** The text, with the name of its field. */
  text?: { field: Exclude<ReasoningFields['field'], 'thinking_parts'>; text: string };
  thinking_blocks?: Block[];
  reasoning_details?: Block[];
  /** `extra_content` of tool calls, by their ids. */
  tool_calls?: Record<string, unknown>;
}

/** Undefined: the call needs no states. */
export type SealReasoning = (state: ReasoningState) => string | undefined;

type Block = Record<string, unknown>;

/** Texts of a block that come in pieces. */
const growing = ['thinking', 'text', 'summary', 'data'];

/** Whether a piece continues the block before it. A signature ends a block, and hidden reasoning comes whole. */
const continues = (last: Block | undefined, piece: Block): last is Block =>
  last !== undefined && last.type === piece.type && last.index === piece.index && !last.signature && !piece.data;

function addBlocks(all: Block[] | undefined, pieces: readonly Block[]): Block[] {
  const blocks = all ?? [];
  for (const piece of pieces) {
    const last = blocks.at(-1);
    if (!continues(last, piece)) {
      blocks.push({ ...piece });
      continue;
    }
    for (const [name, value] of Object.entries(piece)) {
      if (growing.includes(name) && typeof value === 'string' && typeof last[name] === 'string') last[name] += value;
      else if (value !== null && value !== undefined) last[name] = value;
    }
  }
  return blocks;
}

/** Gathers what a model needs to go on reasoning, in pieces, each of which ends where something else of the answer follows. */
export class ReasoningStates {
  private open: ReasoningState = {};
  private readonly seal: SealReasoning;

  constructor(seal: SealReasoning) {
    this.seal = seal;
  }

  add({ field, text, thinking_blocks, reasoning_details }: ReasoningFields): void {
    const { open } = this;
    if (text && field !== 'thinking_parts') open.text = { field, text: (open.text?.text ?? '') + text };
    if (thinking_blocks.length > 0) open.thinking_blocks = addBlocks(open.thinking_blocks, thinking_blocks);
    if (reasoning_details.length > 0) open.reasoning_details = addBlocks(open.reasoning_details, reasoning_details);
  }

  addToolCall(id: string, extraContent: unknown): void {
    this.open.tool_calls = { ...this.open.tool_calls, [id]: extraContent };
  }

  /** What was gathered since the last time, sealed. */
  take(): string[] {
    if (Object.keys(this.open).length === 0) return [];
    const sealed = this.seal(this.open);
    this.open = {};
    return sealed === undefined ? [] : [sealed];
  }
}
