/** Why the page shows the sign-in dialog: the service has refused a request, or nobody has used the page for too long. */
export type SessionEnd = 'refused' | 'idle';
type Listener = () => void;

const listeners = new Set<Listener>();
let end: SessionEnd | undefined;

const set = (next: SessionEnd | undefined): void => {
  if (end === next) return;
  end = next;
  for (const listener of listeners) listener();
};

/** The layout shows the sign-in dialog, and the page with its forms stays. The first reason is kept. */
export const endSession = (why: SessionEnd = 'refused'): void => set(end ?? why);

export const resumeSession = (): void => set(undefined);

export const sessionEnd = (): SessionEnd | undefined => end;

export function onSessionChange(listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
