/** Headers and fields by which a server shows which model, provider and account answer. */
export const leakingHeaders: Record<string, string> = {
  'openai-organization': 'org-leaked',
  'openai-processing-ms': '17',
  'openai-version': '2020-10-01',
  'x-ratelimit-limit-requests': '12345',
  'x-request-id': 'req-leaked',
  'x-provider': 'leaked-provider',
  'set-cookie': 'leaked=1; path=/',
};

export const leakingFields = {
  system_fingerprint: 'fp_leaked',
  service_tier: 'leaked-tier',
  provider: 'leaked-provider',
  citations: ['https://leaked.invalid'],
};

export const leakingChoice = { native_finish_reason: 'leaked-reason', provider_specific_fields: { leaked: true } };

export const leakingMessage = { provider_specific_fields: { leaked: true }, thinking_blocks: [{ thinking: 'leaked' }] };

export const leakingUsage = { cost_details: { leaked: 1 }, is_byok: 'leaked' };
