import { apiUrl } from '../api/base.ts';
import type { Changes } from '../api/types.ts';
import type { TabMessage } from './channel.ts';

/** The pause before a refused stream is opened again. `EventSource` retries only after a lost connection. */
const retryMs = 3_000;
/** A stream without an event for so long may have lost its connection unnoticed, and is opened anew. */
const silentMs = 60_000;

/**
 * Keeps the event stream open until the signal is aborted, and forwards its events. `EventSource` reconnects by itself and sends
 * `Last-Event-ID`; what it gives up on, and what is silent, is opened anew.
 */
export async function holdStream(signal: AbortSignal, publish: (message: TabMessage) => void): Promise<void> {
  while (!signal.aborted) {
    const end = await streamOnce(signal, publish);
    if (end === 'closed' && !signal.aborted) await pause(signal);
  }
}

function streamOnce(signal: AbortSignal, publish: (message: TabMessage) => void): Promise<'closed' | 'silent'> {
  return new Promise((resolve) => {
    const source = new EventSource(`${apiUrl('/api/events')}?topics=jobs,teams,webhooks`);
    let isNew = true;
    let silence: ReturnType<typeof setTimeout>;
    const close = (end: 'closed' | 'silent' = 'closed') => {
      clearTimeout(silence);
      source.close();
      resolve(end);
    };
    const watch = () => {
      clearTimeout(silence);
      silence = setTimeout(() => close('silent'), silentMs);
    };
    watch();
    signal.addEventListener('abort', () => close(), { once: true });
    const on = (name: string, handle: (data: unknown) => void) =>
      source.addEventListener(name, (event) => {
        watch();
        handle(JSON.parse((event as MessageEvent<string>).data || '{}'));
      });
    on('ready', (data) => {
      const { version } = data as { version: string };
      // Of a stream that goes on the service knows what was missed, and sends a `resync` if there is any.
      publish({ type: 'state', state: 'live', isNew });
      isNew = false;
      publish({ type: 'version', version });
    });
    on('changes', (data) => publish({ type: 'changes', changes: data as Changes }));
    on('resync', () => publish({ type: 'resync' }));
    source.addEventListener('ended', () => close());
    source.addEventListener('error', () => {
      publish({ type: 'state', state: 'polling' });
      if (source.readyState === EventSource.CLOSED) close();
    });
  });
}

const pause = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, retryMs);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
