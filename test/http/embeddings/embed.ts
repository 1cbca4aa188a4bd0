import { type Addressed, expectOk, type GivenTeam } from '../../support/given.ts';
import { type Answer, sendRequest } from '../../support/send-request.ts';

/** The embeddings of a team, by its own model group unless the fields name another model. */
export const embedWith =
  (gateway: Addressed, team: GivenTeam) =>
  (fields: Record<string, unknown> = {}, headers: Record<string, string> = {}): Promise<Answer> =>
    sendRequest(gateway.current.url, 'post', '/v1/embeddings', {
      key: team.key,
      body: { model: team.modelGroup, input: 'The Po is a river.', ...fields },
      headers,
    });

/** The vectors of an answer, whatever their form. */
export const vectorsIn = (answer: Answer) =>
  expectOk(answer).data.map(({ embedding }: { embedding: string | number[] }) => embedding);

export const fromBase64 = (text: string): number[] =>
  Array.from(new Float32Array(Uint8Array.from(Buffer.from(text, 'base64')).buffer));

export const rounded = (vector: readonly number[]): number[] => vector.map(Math.fround);
