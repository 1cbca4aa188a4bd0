import { apiUrl } from '../api/base.ts';
import type { Changes } from '../api/types.ts';
import type { TabMessage } from './channel.ts';

/** The pause before a refused stream is opened again. `EventSource` retries only after a lost connection. */
const retryMs = 3_000;

/**
 * Keeps the event stream open until the signal is aborted, and forwards its events. `EventSource` reconnects by itself and sends
 * `Last-Event-ID`; what it gives up on is opened anew.
 */
export async function holdStream(signal: AbortSignal, publish: (message: TabMessage) => void): Promise<void> {
  while (!signal.aborted) {
    await streamOnce(signal, publish);
    if (!signal.aborted) await pause(signal);
  }
}

function streamOnce(signal: AbortSignal, publish: (message: TabMessage) => void): Promise<void> {
  return new Promise((resolve) => {
    const source = new EventSource(`${apiUrl('/api/events')}?topics=jobs,teams,webhooks`);
    const close = () => {
      source.close();
      resolve();
    };
    signal.addEventListener('abort', close, { once: true });
    const on = (name: string, handle: (data: unknown) => void) =>
      source.addEventListener(name, (event) => handle(JSON.parse((event as MessageEvent<string>).data || '{}')));
    on('ready', (data) => {
      const { version, complete } = data as { version: string; complete: boolean };
      publish({ type: 'state', state: 'live' });
      publish({ type: 'version', version });
      if (!complete) publish({ type: 'resync' });
    });
    on('changes', (data) => publish({ type: 'changes', changes: data as Changes }));
    on('resync', () => publish({ type: 'resync' }));
    source.addEventListener('ended', close);
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
