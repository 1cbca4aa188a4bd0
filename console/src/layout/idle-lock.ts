import { Problem } from '../api/problem.ts';
import { get } from '../api/request.ts';
import { endSession, sessionEnd } from '../api/session-end.ts';
import { noteInput, usedAt } from '../api/session-use.ts';
import { checkInMs, leftMs, noteMsOf } from './idle-time.ts';

const secondMs = 1_000;
/** Inputs within this time are one: a moving pointer sends many a second. */
const pauseMs = 200;

/** The events that are a use of the page. */
const inputs = ['keydown', 'pointerdown', 'pointermove', 'touchmove', 'wheel'] as const;

/**
 * Locks the page when nobody has used the console in this browser for the idle time of the session. Where somebody uses a page that
 * requests nothing, such as a form, it notifies the service. Returns what stops it.
 */
export function startIdleLock(idleSeconds: number): () => void {
  const idleMs = idleSeconds * secondMs;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let notifying: ReturnType<typeof setTimeout> | undefined;
  let lookedAt = 0;

  const check = (): void => {
    clearTimeout(timer);
    if (sessionEnd()) return;
    const left = leftMs(idleMs, usedAt(), Date.now());
    if (left > 0) timer = setTimeout(check, checkInMs(left));
    else endSession('idle');
  };
  const notify = async (): Promise<void> => {
    await get('/api/session').catch((error: unknown) => {
      if (error instanceof Problem && error.status === 401) endSession();
    });
    notifying = undefined;
  };
  const onInput = ({ isTrusted }: Event): void => {
    if (!isTrusted) return;
    const isSoon = Date.now() - lookedAt < pauseMs;
    // After the computer has slept, the first input comes before the timer.
    if (!isSoon) check();
    if (sessionEnd()) return;
    noteInput();
    if (isSoon) return;
    lookedAt = Date.now();
    const isDue = Date.now() - usedAt() >= noteMsOf(idleMs);
    if (isDue) notifying ??= setTimeout(() => void notify(), Math.min(secondMs, noteMsOf(idleMs) / 10));
  };

  check();
  const options = { capture: true, passive: true };
  for (const name of inputs) window.addEventListener(name, onInput, options);
  document.addEventListener('visibilitychange', check);
  return () => {
    clearTimeout(timer);
    clearTimeout(notifying);
    for (const name of inputs) window.removeEventListener(name, onInput, options);
    document.removeEventListener('visibilitychange', check);
  };
}
