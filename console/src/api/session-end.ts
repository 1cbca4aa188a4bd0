type Listener = () => void;

const listeners = new Set<Listener>();
let hasEnded = false;

const set = (ended: boolean): void => {
  if (hasEnded === ended) return;
  hasEnded = ended;
  for (const listener of listeners) listener();
};

/** A request was answered 401: the frame shows the sign-in dialog, and the page with its forms stays. */
export const endSession = (): void => set(true);

export const resumeSession = (): void => set(false);

export const sessionHasEnded = (): boolean => hasEnded;

export function onSessionChange(listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
