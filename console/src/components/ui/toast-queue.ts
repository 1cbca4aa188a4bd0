type Listener = () => void;

const listeners = new Set<Listener>();
let sentences: readonly string[] = [];

/** A short sentence about something that has just been done. */
export function addToast(sentence: string): void {
  sentences = [...sentences, sentence];
  notify();
}

/** The sentences that are waiting to be shown. */
export function takeToasts(): readonly string[] {
  const taken = sentences;
  sentences = [];
  return taken;
}

export const hasToasts = (): boolean => sentences.length > 0;

export function onToast(listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

const notify = (): void => {
  for (const listener of listeners) listener();
};
