import { createAndCall } from './create-and-call.ts';
import { createAndStream } from './create-and-stream.ts';
import { makeCall } from './make-call.ts';
import { makeStreamedCall } from './make-streamed-call.ts';

export const callRoutes = [makeCall, makeStreamedCall, createAndCall, createAndStream];
