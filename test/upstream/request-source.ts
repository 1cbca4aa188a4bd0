import type { AnswerParts } from '../../src/domain/call-options.ts';
import type { SealReasoning } from '../../src/upstream/answer/reasoning-state.ts';
import { buildBody, type RequestSource } from '../../src/upstream/request-body.ts';

/** The source of a short request with these fields. */
export const requestSource = (
  request: object,
  parts: AnswerParts = 'text',
  seal: SealReasoning = () => undefined,
): RequestSource => ({
  open: async ({ model, streamed }) => ({
    content: buildBody({ extra: '{}', request: JSON.stringify(request) }, model, streamed),
    parts,
    seal,
    leaveOut: () => false,
    close: () => undefined,
  }),
});
