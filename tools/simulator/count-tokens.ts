/** A token is up to six characters and the blanks before them. Not a real tokenizer, but a rule that can be applied by hand in a test. */
export const splitTokens = (text: string): string[] => text.match(/\s*\S{1,6}|\s+$/gu) ?? [];

export const countTokens = (text: string): number => splitTokens(text).length;

export type Message = { role: string; content?: unknown; [field: string]: unknown };

/** Text of a message, whether its content is a string or an array of parts. */
export function messageText({ content }: Message): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part: { text?: unknown } | null) => (typeof part?.text === 'string' ? part.text : '')).join('');
}

/** As chat models count: three tokens around every message, and three that prime the answer. */
export const countPromptTokens = (messages: Message[]): number =>
  messages.reduce((sum, message) => sum + 3 + countTokens(messageText(message)), 3);
