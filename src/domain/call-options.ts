import { joinMembers, type Member, readMembers } from './formats/json-members.ts';

/** How the request of a call is sent, and what is read of its answer, beyond what every call has: JSON text of an object. */
export interface CallOptions {
  /** Fields of the client that the endpoint does not know. Those go upstream that the model permits. */
  extra: Member[];
  parts: AnswerParts;
  /** The record keeps in which pieces a stream came, so that a later reader receives the same ones. */
  keepsPieces: boolean;
  /** Of a call of embeddings: how many vectors it is for. */
  inputs?: number | undefined;
}

/**
 * What is read of an answer. `all`: reasoning and annotations too. `sealed`: also the order in which the model wrote, and what it needs
 * to go on reasoning, sealed; the request may have such states of earlier answers.
 */
export type AnswerParts = 'text' | 'all' | 'sealed';

/** The options of a call whose whole answer is read. */
export const callOptions = (
  extra: readonly Member[],
  { parts = 'all', keepsPieces = false }: Partial<Pick<CallOptions, 'parts' | 'keepsPieces'>> = {},
): string =>
  `{"parts":"${parts}"${keepsPieces ? ',"pieces":true' : ''}${extra.length > 0 ? `,"extra":${joinMembers(extra)}` : ''}}`;

/** The options of a call of embeddings. */
export const embeddingsOptions = (inputs: number, extra: readonly Member[]): string =>
  `{"inputs":${inputs}${extra.length > 0 ? `,"extra":${joinMembers(extra)}` : ''}}`;

/** Null: the defaults. */
export function readCallOptions(text: string | null): CallOptions {
  const members = new Map(Array.from(readMembers(text ?? '{}'), ({ name, value }) => [name, value]));
  const inputs = members.get('inputs');
  return {
    extra: [...readMembers(members.get('extra') ?? '{}')],
    parts: readParts(members.get('parts')),
    keepsPieces: members.get('pieces') === 'true',
    inputs: inputs === undefined ? undefined : Number(inputs),
  };
}

const readParts = (text: string | undefined): AnswerParts =>
  text === '"all"' || text === '"sealed"' ? (JSON.parse(text) as AnswerParts) : 'text';
