import { headersOfRequest, isIdempotent, readKey } from '../idempotency/idempotency-key.ts';
import { claimOperation, repeatableContext } from '../idempotency/keyed-operation.ts';
import { surfaceOf } from '../surfaces.ts';
import type { Exchange } from './exchange.ts';

/** A request with an Idempotency-Key is executed once; a repetition has the stored reply: 409, 422. `spec 10.1` */
export function claimIdempotencyKey(exchange: Exchange): void | Promise<void> {
  const key = isIdempotent(exchange.spec) ? readKey(exchange.request) : undefined;
  if (key !== undefined) return claim(exchange, key);
}

async function claim(exchange: Exchange, key: string): Promise<void> {
  const { spec, context, exactBody } = exchange;
  const headers = headersOfRequest(spec.headers, context);
  const isSecret = spec.secret ?? false;
  const keyed = {
    key,
    path: pathOf(exchange),
    exactBody,
    headers,
    isSecret,
    surface: surfaceOf(spec),
    streams: spec.streams,
  };
  const claimed = await claimOperation(context, keyed);
  if ('reply' in claimed) {
    exchange.reply = claimed.reply;
    return;
  }
  exchange.keyed = claimed.operation;
  exchange.context = repeatableContext(context, claimed.operation);
}

/** The path with its validated parameters: an id in upper case, or a slash at the end, is the same operation. */
const pathOf = ({ spec, context }: Exchange): string =>
  spec.path.replaceAll(/\{\+?(\w+)\}/g, (_, name: string) =>
    encodeURIComponent((context.params as Record<string, string>)[name]!),
  );
