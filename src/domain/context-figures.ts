/** What an upstream has named of a prompt that is too long, in tokens: the prompt, the requested answer, and the most for both. */
export interface ContextFigures {
  prompt?: number;
  answer?: number;
  limit?: number;
}

/** The figures of a refusal. `answer`: the prompt alone fits, and with so long an answer it does not. `spec 28.12` */
export interface ShownFigures {
  prompt_tokens: number;
  most: number;
  answer_tokens?: number;
}

/** What is not named is estimated, and of a prompt that is too long the figures say so. `estimate`: the tokens of the prompt. */
export function shownFigures({ prompt, answer, limit }: ContextFigures, estimate: number): ShownFigures {
  const isNamed = prompt !== undefined && answer !== undefined && limit !== undefined;
  if (isNamed && prompt <= limit && prompt + answer > limit)
    return { prompt_tokens: prompt, answer_tokens: answer, most: limit };
  const known = Math.max(2, prompt ?? estimate);
  if (limit === undefined) return { prompt_tokens: known, most: known - 1 };
  return { prompt_tokens: Math.max(known, limit + 1), most: limit };
}
