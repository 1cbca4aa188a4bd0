import { shownFigures } from '../../src/domain/context-figures.ts';

test.each<[string, Parameters<typeof shownFigures>[0], number, object]>([
  [
    'all, of which the prompt alone fits',
    { prompt: 10, answer: 5, limit: 12 },
    7,
    { prompt_tokens: 10, answer_tokens: 5, most: 12 },
  ],
  [
    'all, the prompt as long as the limit',
    { prompt: 12, answer: 1, limit: 12 },
    7,
    { prompt_tokens: 12, answer_tokens: 1, most: 12 },
  ],
  ['all, of which the prompt does not fit', { prompt: 13, answer: 5, limit: 12 }, 7, { prompt_tokens: 13, most: 12 }],
  ['all, which contradict each other', { prompt: 3, answer: 5, limit: 12 }, 7, { prompt_tokens: 13, most: 12 }],
  ['prompt and limit', { prompt: 13, limit: 12 }, 7, { prompt_tokens: 13, most: 12 }],
  ['prompt and limit, the prompt fitting', { prompt: 11, limit: 12 }, 7, { prompt_tokens: 13, most: 12 }],
  ['the limit', { limit: 12 }, 70, { prompt_tokens: 70, most: 12 }],
  ['the limit, above the estimate', { limit: 12 }, 7, { prompt_tokens: 13, most: 12 }],
  ['the prompt', { prompt: 13 }, 7, { prompt_tokens: 13, most: 12 }],
  ['the answer', { answer: 5 }, 7, { prompt_tokens: 7, most: 6 }],
  ['nothing', {}, 7, { prompt_tokens: 7, most: 6 }],
  ['nothing, of an empty prompt', {}, 0, { prompt_tokens: 2, most: 1 }],
  ['a prompt of 0', { prompt: 0 }, 7, { prompt_tokens: 2, most: 1 }],
])('where an upstream names %s, the figures say what is too long (spec 28.12)', (_, named, estimate, shown) => {
  expect(shownFigures(named, estimate)).toEqual(shown);
});
