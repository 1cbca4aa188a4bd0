/** What is kept to recognize pieces: a server that sends pieces as messages differs from all others after a few of them. */
const maxMessagesCharacters = 65_536;

/**
 * A text that arrives in deltas, or in messages that contain all of it or all of it so far, or in both. Each method returns what
 * is new, so that every character is passed on once.
 */
export class GrowingText {
  private text = '';
  private hasDeltas = false;
  /** The messages contain pieces, like deltas. */
  private isPiecewise = false;
  private messages = '';

  get isEmpty(): boolean {
    return this.text === '';
  }

  get isBlank(): boolean {
    return this.text.trim() === '';
  }

  /** The length first: to compare the text joins all pieces of it. */
  equals(text: string): boolean {
    return text.length === this.text.length && text === this.text;
  }

  delta(piece: string): string {
    this.hasDeltas ||= piece !== '';
    this.text += piece;
    return piece;
  }

  message(content: string): string {
    const added = this.addedBy(content);
    this.text += added;
    return added;
  }

  private addedBy(content: string): string {
    const { text } = this;
    if (this.isPiecewise) return content === text ? '' : content;
    if (this.messages.length < maxMessagesCharacters) this.messages += content;
    // The length first: to compare a text joins all pieces of it, and a short message may follow each piece of a long text.
    if (content.length >= text.length && content.startsWith(text)) return content.slice(text.length);
    // Deltas contain the text already, whatever form the message gives it.
    if (this.hasDeltas || text.startsWith(content)) return '';
    this.isPiecewise = true;
    // Pieces before this one may have looked like repetitions.
    return this.messages.startsWith(text) ? this.messages.slice(text.length) : content;
  }
}
