import type { BurnRate, TeamWithKey } from '../../../console/src/api/types.ts';
import { lastingNote, lastingText, periodText, rateText } from '../../../console/src/format/burn-rate.ts';
import { firstJobCurl } from '../../../console/src/format/first-job-curl.ts';
import { metadataText, parseMetadata } from '../../../console/src/format/metadata.ts';
import { namesIn } from '../../../console/src/format/names.ts';
import { toDrafts, withPricesOfFirst } from '../../../console/src/pages/models/member-drafts.ts';
import { toBody } from '../../../console/src/pages/models/model-body.ts';
import { type ModelState, modelEffects } from '../../../console/src/pages/models/model-effects.ts';
import { settingEffects, toChanges, toDraft } from '../../../console/src/pages/teams/detail/team-settings.ts';
import { shortcutGroups } from '../../../console/src/shortcuts/known-shortcuts.ts';

const model = (id: number, name: string, isActive = true, input = '') => ({
  id,
  model: name,
  input,
  output: '',
  cached: '',
  written: '',
  isActive,
});
const state: ModelState = {
  status: 'active',
  drafts: [model(0, 'first'), model(1, 'second', true, '0.5')],
  links: [],
  extraFields: [],
  blockedFields: [],
  maxOutputTokens: '',
  embeddingFallbacks: false,
};

test('a model that is switched off in its group is no longer tried, and only what differs is listed', () => {
  const after = { ...state, drafts: [model(0, 'first', false), model(1, 'second', true, '0.5')] };

  expect(modelEffects(state, after, 'Aliases')).toEqual([
    { what: 'Tried', before: 'first, then second', after: 'second' },
  ]);
});

test('a group without an active model shows that calls are refused, and prices are listed by model', () => {
  const after: ModelState = {
    ...state,
    drafts: [model(1, 'second', false, '2')],
    extraFields: ['top_k'],
    maxOutputTokens: '4096',
  };

  expect(modelEffects(state, after, 'Aliases')).toEqual([
    { what: 'Tried', before: 'first, then second', after: 'none: calls are refused' },
    { what: 'Prices, in / out', before: 'second 0.5 / –', after: 'second 2 / –' },
    { what: 'Extra fields', before: 'none', after: 'top_k' },
    { what: 'Max output tokens', before: 'no limit', after: '4096' },
  ]);
});

const priced = { model_name: 'first', input_price_per_million: 0.5, output_price_per_million: 2 };
const fields = {
  newName: undefined,
  display: '',
  description: '',
  status: 'active' as const,
  links: [],
  extraFields: [],
  blockedFields: [],
  maxOutputTokens: '',
  embeddingFallbacks: false,
};

test('the fields that a model blocks and its limit of tokens are sent, and an emptied limit as null', () => {
  const filled = { ...fields, drafts: [], blockedFields: ['service_tier'], maxOutputTokens: ' 4096 ' };

  expect(toBody('model-groups', filled)).toMatchObject({ blocked_fields: ['service_tier'], max_output_tokens: 4_096 });
  expect(toBody('model-aliases', { ...filled, maxOutputTokens: ' ' })).toMatchObject({ max_output_tokens: null });
  expect(toBody('model-access-groups', filled)).not.toHaveProperty('blocked_fields');
});

test('an emptied price is sent as null, which clears it, for a model of a group and for an alias', () => {
  const drafts = toDrafts([priced]).map((draft) => ({ ...draft, input: ' ' }));

  expect(toBody('model-groups', { ...fields, drafts })).toMatchObject({
    models: [{ model_name: 'first', input_price_per_million: null, output_price_per_million: 2 }],
  });
  expect(toBody('model-aliases', { ...fields, drafts })).toMatchObject({
    model_name: 'first',
    input_price_per_million: null,
    output_price_per_million: 2,
  });
});

test('prices of cached tokens are sent, also those that the form has read, and shown beside the others', () => {
  const cached = { ...priced, cached_input_price_per_million: 0.05, cache_write_price_per_million: 0.625 };
  const drafts = toDrafts([cached]);

  expect(toBody('model-groups', { ...fields, drafts })).toMatchObject({ models: [cached] });
  expect(toBody('model-aliases', { ...fields, drafts })).toMatchObject(cached);
  expect(modelEffects({ ...state, drafts: toDrafts([priced]) }, { ...state, drafts }, 'Aliases')).toEqual([
    { what: 'Prices, in / out', before: 'first 0.5 / 2', after: 'first 0.5 / 2, cache 0.05 / 0.625' },
  ]);
});

test('whether embeddings have fallbacks is sent, and listed when it changes', () => {
  const after = { ...state, embeddingFallbacks: true };

  expect(toBody('model-groups', { ...fields, drafts: [], embeddingFallbacks: true })).toMatchObject({
    embedding_fallbacks: true,
  });
  expect(modelEffects(state, after, 'Aliases')).toEqual([
    { what: 'Fallbacks of embeddings', before: 'none', after: 'all' },
  ]);
});

test('an alias keeps its prices when a model without any is tried first', () => {
  const [first] = toDrafts([priced]);
  const drafts = withPricesOfFirst([model(1, 'second'), first!], first!);

  expect(toBody('model-aliases', { ...fields, drafts })).toMatchObject({
    model_name: 'second',
    fallbacks: ['first'],
    input_price_per_million: 0.5,
    output_price_per_million: 2,
  });
});

const team = {
  team_alias: null,
  budget_mode: 'job_based',
  tokens_per_credit: null,
  credits_per_dollar: null,
  low_balance_policy: 'allow',
  refill_amount: null,
  refill_period: null,
  rpm_limit: 60,
  tpm_limit: null,
  max_concurrent_calls: null,
  agent_turns: 'on',
  job_end: null,
  jobless_calls: 'single',
  job_key_from: [],
  credit_thresholds: [],
  job_budget_defaults: null,
  job_budget_maxima: null,
  metadata: { tier: 'gold' },
  credits: { credit_limit: 5, auto_refill: false },
} as unknown as TeamWithKey;

test('only changed settings of a team are sent, each shown as it was and as it will be in the words of the form', () => {
  const draft = { ...toDraft(team), credit_limit: '', budget_mode: 'consumption_usd', metadata: '' };

  expect(toChanges(draft, team)).toEqual({ credit_limit: null, budget_mode: 'consumption_usd', metadata: {} });
  expect(settingEffects(draft, team)).toEqual([
    { what: 'Credit limit', before: '5', after: 'unlimited' },
    {
      what: 'A job costs',
      before: 'Its price: one credit, or that of its type',
      after: 'Its cost in USD times credits per dollar',
    },
    { what: 'Metadata', before: '{\n  "tier": "gold"\n}', after: 'none' },
  ]);
});

test('stored JSON is shown as text, and what is no JSON is sent as it was entered', () => {
  expect([metadataText({}), parseMetadata(''), parseMetadata('{"a":1}'), parseMetadata('{a}')]).toEqual([
    '',
    {},
    { a: 1 },
    '{a}',
  ]);
  expect(namesIn(' top_k, , min_p,top_k ')).toEqual(['top_k', 'min_p']);
});

const rate: BurnRate = {
  team_id: 'acme',
  credits_remaining: 10,
  credit_limit: 10,
  days: 7,
  credits_used: 35,
  credits_per_day: 5,
  lasts_days: 2,
  is_estimate: true,
};

test.each([
  { days: 6.84, credits_used: 45, credits_per_day: 6.58, text: '45 in 6.84 days is 6.6' },
  { days: 1.27, credits_used: 45, credits_per_day: 35.43, text: '45 in 1.27 days is 35' },
  { days: 1, credits_used: 996, credits_per_day: 996, text: '996 in 1 day is 996' },
])('the use of a team, its period and its rate agree: $text', ({ text, ...figures }) => {
  const shown = { ...rate, ...figures };
  const [used, period] = [shown.credits_used, periodText(shown)];

  expect(`${used} in ${period} is ${rateText(shown)}`).toBe(text);
  expect((used / Number.parseFloat(period)).toFixed(used / shown.days < 10 ? 1 : 0)).toBe(rateText(shown));
});

test('credits of a team that is too new have no rate and no end, and the note gives the reason', () => {
  const tooNew = { ...rate, days: 0.1, credits_per_day: null, lasts_days: null };

  expect([rateText(rate), lastingText(rate), lastingNote(rate)]).toEqual(['5.0', '2 d', 'at this rate of use']);
  expect([rateText(tooNew), lastingText(tooNew), periodText(tooNew)]).toEqual([undefined, undefined, '2 hours']);
  expect(lastingNote(tooNew)).toContain('too new');
  expect(lastingNote({ ...tooNew, credit_limit: null })).toBe('unlimited budget');
});

test('the line for a first job quotes what a shell would read', () => {
  const line = firstJobCurl({
    url: 'https://gw.example/api/jobs/create-and-call',
    teamId: "o'neill",
    modelGroup: 'chat',
  });

  expect(line).toContain("curl 'https://gw.example/api/jobs/create-and-call'");
  expect(line).toContain(`"team_id":"o'\\''neill"`);
  expect(line).toContain('"Authorization: Bearer $VIRTUAL_KEY"');
});

test('the list of shortcuts has those that do something on the page, and no others', () => {
  const names = (active: string[]) =>
    shortcutGroups(new Set(active)).map(({ group, keys }) => [group, keys.map(({ name }) => name)]);

  expect(names(['mod+k', '?', 'j', 'k', 'Enter', 'mod+unknown'])).toEqual([
    ['Everywhere', ['mod+k', '?']],
    ['On this page', ['j', 'k', 'Enter']],
  ]);
  expect(names(['mod+k', '?'])).toEqual([['Everywhere', ['mod+k', '?']]]);
});
