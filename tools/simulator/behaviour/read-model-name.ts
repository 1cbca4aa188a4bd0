import type { RefusedRequest } from '../refused-requests.ts';
import type { Behaviour, Fault, Phase, Reply } from './behaviour.ts';

type Partly = Partial<Behaviour>;
type Word = { pattern: RegExp; means: (numbers: number[], texts: string[]) => Partly };

const fault = (value: Fault): Partly => ({ fault: value });
const reply = (value: Reply): Partly => ({ reply: value });
const word = (pattern: RegExp, means: Word['means']): Word => ({ pattern, means });

/** The first match counts: a longer word precedes the shorter word that it begins with. */
const words: Word[] = [
  word(/^ok/, () => ({})),
  word(/^fast/, () => ({})),
  word(/^slow-(\d+)/, ([ms]) => ({ latencyMs: ms })),
  word(/^slow/, () => ({ latencyMs: 1_000, everyMs: 50 })),
  word(/^every-(\d+)/, ([ms]) => ({ everyMs: ms })),
  word(/^tokens-(\d+)/, ([n]) => ({ completionTokens: n })),
  word(/^prompt-tokens-(\d+)/, ([n]) => ({ promptTokens: n })),

  word(/^fail-([45]\d\d)-retry-after-(\d+)/, ([status, seconds]) => failWith(status, seconds)),
  word(/^fail-([45]\d\d)/, ([status]) => failWith(status)),
  word(/^fail/, () => failWith(500)),
  word(
    /^(overflow-(?:code|litellm|words|llamacpp|answer)|policy-(?:code|words)|not-supported)-(4\d\d)/,
    ([, status], [kind]) => refuseWith(kind!, status),
  ),
  word(/^(overflow-(?:code|litellm|words|llamacpp|answer)|policy-(?:code|words)|not-supported)/, (_, [kind]) =>
    refuseWith(kind!),
  ),
  word(/^error-body/, () => fault({ kind: 'error-body' })),
  word(/^hang/, () => fault({ kind: 'hang' })),
  word(/^reset/, () => fault({ kind: 'reset' })),
  word(/^redirect/, () => fault({ kind: 'redirect' })),
  word(/^wrong-type/, () => fault({ kind: 'wrong-type' })),
  word(/^half-json-(\d+)/, ([after = 0]) => fault({ kind: 'half-json', after })),
  word(/^half-json/, () => fault({ kind: 'half-json', after: 2 })),
  word(/^stream-cut-(\d+)/, ([after = 0]) => fault({ kind: 'cut', after })),
  word(/^stream-stall-(\d+)/, ([after = 0]) => fault({ kind: 'stall', after })),
  word(/^error-in-stream-(\d+)/, ([after = 0]) => fault({ kind: 'error-in-stream', after })),
  word(/^error-in-stream/, () => fault({ kind: 'error-in-stream', after: 2 })),

  word(/^two-tools/, () => reply('two-tools')),
  word(/^tools/, () => reply('tools')),
  word(/^function-call/, () => reply('function-call')),
  word(/^refusal/, () => reply('refusal')),
  word(/^reasoning-tokens-(\d+)/, ([n]) => ({ reasoning: 'reasoning_content', reasoningTokens: n })),
  word(/^reasoning-content/, () => ({ reasoning: 'reasoning_content' })),
  word(/^reasoning/, () => ({ reasoning: 'reasoning' })),
  word(/^no-tool-ids/, () => ({ toolPieces: 'no-ids' })),
  word(/^late-tool-ids/, () => ({ toolPieces: 'late-ids' })),
  word(/^long-tool-ids/, () => ({ toolPieces: 'long-ids' })),
  word(/^repeated-tool-pieces/, () => ({ toolPieces: 'repeated' })),
  word(/^zero-index/, () => ({ toolPieces: 'zero-index' })),
  word(/^no-arguments/, () => ({ noArguments: true })),
  word(/^(choices|annotations|tool-calls)-(\d+)/, ([, count = 0], [what]) => ({
    many: { what: what as 'choices', count },
  })),
  word(/^annotated/, () => ({ annotated: true })),
  word(/^cached-(\d+)/, ([n]) => ({ cachedTokens: n })),
  word(/^written-(\d+)/, ([n]) => ({ writtenTokens: n })),
  word(/^vectors-(numbers|base64)/, (_, [form]) => ({ encodes: form as 'numbers' })),
  word(/^vectors-(missing|extra|uneven|null|empty|unindexed|same-index|reversed)/, (_, [kind]) => ({
    vectors: kind as 'missing',
  })),
  word(/^leaks/, () => ({ leaks: true })),
  word(/^echo/, () => reply('echo')),
  word(/^json(?!-body)/, () => reply('json')),
  word(/^null-content/, () => reply('null')),
  word(/^null-bytes/, () => reply('null-bytes')),
  word(/^lone-surrogate/, () => reply('lone-surrogate')),
  word(/^empty/, () => reply('empty')),
  word(/^huge-chunk-(\d+)/, ([mebibytes]) => ({ ...reply('huge'), completionTokens: 100, mebibytes })),
  word(/^huge-chunk/, () => ({ ...reply('huge'), completionTokens: 100 })),
  word(/^unicode/, () => reply('unicode')),

  word(/^length/, () => ({ finishReason: 'length' })),
  word(/^content-filter/, () => ({ finishReason: 'content_filter' })),
  word(/^names-stop/, () => ({ namesStop: true })),
  word(/^no-finish/, () => ({ finishReason: null })),
  word(/^no-usage/, () => ({ usage: 'none' })),
  word(/^wrong-usage/, () => ({ usage: 'wrong' })),
  word(/^no-done/, () => ({ done: false })),
  word(/^no-cost/, () => ({ cost: 'none' })),
  word(/^usage-cost/, () => ({ cost: 'usage' })),
  word(/^cost-(\d+)/, ([microdollars = 0]) => ({ costUsd: microdollars / 1_000_000 })),
  word(/^split-frames/, () => ({ framing: 'split' })),
  word(/^crlf/, () => ({ framing: 'crlf' })),
  word(/^comments/, () => ({ framing: 'comments' })),
  word(/^data-comments/, () => ({ framing: 'data-comments' })),

  word(/^json-body/, () => ({ form: 'json' })),
  word(/^events-typed-json/, () => ({ form: 'events-typed-json' })),
  word(/^events/, () => ({ form: 'events' })),
  word(/^one-newline/, () => ({ ending: 'one-newline', done: false })),
  word(/^no-newline/, () => ({ ending: 'no-newline', done: false })),
  word(/^whole-message/, () => ({ messages: 'whole' })),
  word(/^growing-message/, () => ({ messages: 'growing' })),
  word(/^message-beside/, () => ({ messages: 'beside' })),
  word(/^split-choices-reversed/, () => ({ ...reply('text-and-tools'), choices: 'split-reversed' })),
  word(/^split-choices/, () => ({ ...reply('text-and-tools'), choices: 'split' })),
  word(/^finish-first/, () => ({ finishAt: 'first' })),
  word(/^finish-empty/, () => ({ finishReason: '' })),
  word(/^finish-([A-Za-z_]+)/, (_, [reason]) => ({ finishReason: reason })),
  word(/^new-usage/, () => ({ usageNames: 'new' })),
  word(/^zeros-and-new-usage/, () => ({ usageNames: 'beside-zeros' })),
  word(/^zero-cost-header-alone/, () => ({ cost: 'zero-header-alone' })),
  word(/^zero-cost-header/, () => ({ cost: 'zero-header' })),
  word(/^gzip/, () => ({ encoding: 'gzip' })),
  word(/^br/, () => ({ encoding: 'br' })),
  word(/^deflate/, () => ({ encoding: 'deflate' })),
  word(/^zstd/, () => ({ encoding: 'zstd' })),
  word(/^large-headers/, () => ({ headers: 'large' })),
  word(/^strict/, () => ({ strict: true })),
  word(/^many-headers/, () => ({ headers: 'many' })),
];

const refuseWith = (kind: string, status = 400): Partly =>
  fault({ kind: 'refused', refusal: kind as RefusedRequest, status });

function failWith(status = 500, retryAfterSeconds?: number): Partly {
  return fault({ kind: 'status', status, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) });
}

/** The text after `as-` only makes a name unique (`sim-fail-once-as-test7`); the text after `reports-` is the reported model. */
const tails = /-(as|reports)-(.+)$/s;

/**
 * The behaviour that a model name describes: `sim-` and words of the table, joined by `-`; a later word overrides an earlier one. `then`
 * separates phases; `first-<n>` and `once` limit the number of requests of a phase, and ordinary answers follow the last of those.
 * A provider's prefix (`openai/sim-ok`) is ignored, and a name without `sim-` describes ordinary answers.
 * undefined: a `sim-` name with a word that is not in the table, so that a typing error is not overlooked.
 */
export function readModelName(model: string): Phase[] | undefined {
  const name = model.slice(model.lastIndexOf('/') + 1);
  if (!name.startsWith('sim-')) return [always({})];
  const tail = tails.exec(name);
  const reported: Partly = tail?.[1] === 'reports' ? { reports: tail[2] } : {};
  const phases: Phase[] = [];
  const texts = name.slice('sim-'.length, tail?.index).split('-then-');
  for (const [index, words] of texts.entries()) {
    const phase = readPhase(words, index < texts.length - 1 ? 1 : Number.POSITIVE_INFINITY);
    if (!phase) return undefined;
    phases.push({ times: phase.times, behaviour: { ...phase.behaviour, ...reported } });
  }
  return Number.isFinite(phases.at(-1)?.times) ? [...phases, always(reported)] : phases;
}

const always = (behaviour: Partly): Phase => ({ times: Number.POSITIVE_INFINITY, behaviour });

function readPhase(text: string, defaultTimes: number): Phase | undefined {
  if (text === '' || text.endsWith('-')) return undefined;
  let times = defaultTimes;
  const behaviour: Partly = {};
  for (let rest = text; rest !== ''; ) {
    const counted = /^(?:first-(\d+)|once)(?=-|$)/.exec(rest);
    const known = counted ? undefined : findWord(rest);
    if (counted) times = Number(counted[1] ?? 1);
    else if (known) Object.assign(behaviour, known.behaviour);
    else return undefined;
    rest = rest.slice((counted?.[0].length ?? known?.length ?? 0) + 1);
  }
  return { times, behaviour };
}

function findWord(rest: string): { behaviour: Partly; length: number } | undefined {
  for (const { pattern, means } of words) {
    const match = pattern.exec(rest);
    // A word ends at the end of the name, or at a hyphen.
    const isWhole = match && ['-', undefined].includes(rest[match[0].length]);
    if (isWhole) return { behaviour: means(match.slice(1).map(Number), match.slice(1)), length: match[0].length };
  }
  return undefined;
}
