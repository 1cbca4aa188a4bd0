import type { CallChunk } from '../../api/types.ts';

type ToolPiece = { index: number; function?: { name?: string; arguments?: string } };

/** The record of the call has the rest. */
const maxShown = 262_144;
/** Who is so near to the end of what scrolls reads along. */
const endPx = 32;

/**
 * Writes the answer of a call into an element, once for each frame of the screen however many pieces have come, so that React renders
 * nothing meanwhile. What scrolls it stays at its end, if it is there.
 */
export class AnswerWriter {
  private readonly texts = new Map<'content' | number, { node: Text; pending: string }>();
  private frame: number | undefined;
  private shown = 0;

  private readonly root: HTMLElement;
  private readonly onCut: () => void;

  constructor(root: HTMLElement, onCut: () => void) {
    this.root = root;
    this.onCut = onCut;
  }

  readonly add = ({ choices: [choice] }: CallChunk): void => {
    const { content, tool_calls = [] } = choice?.delta ?? {};
    if (content) this.write('content', content);
    for (const { index, function: called } of tool_calls as unknown as ToolPiece[])
      this.write(index, called?.arguments ?? '', called?.name);
    this.frame ??= requestAnimationFrame(() => this.flush());
  };

  clear(): void {
    this.root.replaceChildren();
    this.texts.clear();
    this.shown = 0;
  }

  private write(key: 'content' | number, text: string, name?: string): void {
    const place = this.texts.get(key) ?? this.begin(key, name);
    const fitting = text.slice(0, maxShown - this.shown);
    this.shown += fitting.length;
    place.pending += fitting;
    if (fitting.length < text.length) this.onCut();
  }

  /** A line for the content, or for each tool call, as the record of the call is shown. */
  private begin(key: 'content' | number, name = 'function') {
    const place = { node: new Text(), pending: '' };
    const line = document.createElement('p');
    if (key === 'content') line.append(place.node);
    else line.append(`${name}(`, place.node, ')');
    this.root.append(line);
    this.texts.set(key, place);
    return place;
  }

  private flush(): void {
    this.frame = undefined;
    const scroller = this.root.closest('[data-scrolls]');
    const isAtEnd = scroller && scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < endPx;
    for (const place of this.texts.values()) {
      if (!place.pending) continue;
      place.node.appendData(place.pending);
      place.pending = '';
    }
    if (isAtEnd) scroller.scrollTop = scroller.scrollHeight;
  }
}
