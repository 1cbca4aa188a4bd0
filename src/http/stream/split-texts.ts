import { type Delta, textFields } from '../../domain/chat-message.ts';

type Texts = Pick<Delta, (typeof textFields)[number]>;

const halfAtEnd = /[\uD800-\uDBFF]$/;

/**
 * The texts of a stream, without half surrogate pairs: not every client joins two halves that come in two chunks. The first half
 * is held until the second one has come.
 */
export class SplitTexts {
  private readonly held: Texts = {};

  wellFormed(texts: Texts): Texts {
    const shown: Texts = {};
    for (const field of textFields) {
      const text = texts[field];
      if (text === undefined) continue;
      const whole = (this.held[field] ?? '') + text;
      const half = halfAtEnd.exec(whole)?.[0] ?? '';
      this.held[field] = half;
      shown[field] = whole.slice(0, whole.length - half.length).toWellFormed();
    }
    return shown;
  }

  /** What is still held, at the end of the stream. */
  rest(): Texts | undefined {
    const halves = textFields.filter((field) => this.held[field]);
    return halves.length > 0 ? Object.fromEntries(halves.map((field) => [field, '\ufffd'])) : undefined;
  }
}
