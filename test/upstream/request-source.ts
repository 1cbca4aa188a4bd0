import type { AnswerParts } from '../../src/upstream/answer/answer.ts';
import { buildBody, type RequestSource } from '../../src/upstream/request-body.ts';

/** The source of a short request with these fields. */
export const requestSource = (request: object, parts: AnswerParts = 'text'): RequestSource => ({
  open: async ({ model, streamed }) => ({
    content: buildBody({ extra: '{}', request: JSON.stringify(request) }, model, streamed),
    parts,
    close: () => undefined,
  }),
});
