/** Fields that would send the request elsewhere, with other credentials, or around the models of the group. */
const forbidden = new Set([
  'api_base',
  'api_key',
  'base_url',
  'custom_llm_provider',
  'extra_body',
  'extra_headers',
  'fallbacks',
  'mock_response',
  'model_list',
]);

/** Whether a field must never be sent, whatever an admin permits. `spec 17.11` */
export const isForbiddenField = (name: string): boolean =>
  forbidden.has(name.toLowerCase()) || name.toLowerCase().startsWith('litellm_');

/** The fields of a request beyond the known ones that go upstream: those that the model permits. */
export function permittedFields(
  fields: Readonly<Record<string, unknown>>,
  permitted: readonly string[],
): Record<string, unknown> {
  const names = new Set(permitted.filter((name) => !isForbiddenField(name)));
  return Object.fromEntries(Object.entries(fields).filter(([name]) => names.has(name)));
}
