import { priceEffects, toDraft } from '../../../console/src/pages/prices/price-effects.ts';

const none = toDraft(undefined);

test('a changed price is shown with what it was, and with what the charged jobs of the last days would have cost', () => {
  const before = { ...none, credits: '1' };
  const after = { credits: '5', policy: 'answered', budget: '{"max_calls":3}' };

  expect(priceEffects(before, after, { charged_jobs: 12, credits_charged: 12 })).toEqual([
    { what: 'Credits', before: '1', after: '5' },
    { what: 'Charged', before: 'not set here', after: 'With one answer, however it ends' },
    { what: 'Budget', before: 'not set here', after: '{"max_calls":3}' },
    { what: '12 jobs charged in the last 30 days', before: '12 credits', after: '60 credits, where billed by job' },
  ]);
});

test.each([
  ['without a charged job', { ...none, credits: '5' }, { charged_jobs: 0, credits_charged: 0 }],
  ['before the figures have come', { ...none, credits: '5' }, undefined],
  ['without a price', { ...none, policy: 'completed' }, { charged_jobs: 3, credits_charged: 3 }],
  ['with a price that is no number', { ...none, credits: 'five' }, { charged_jobs: 3, credits_charged: 3 }],
])('%s the past is not calculated', (_, draft, charged) => {
  expect(priceEffects(none, draft, charged)).toHaveLength(1);
});
