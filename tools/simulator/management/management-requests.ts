import { z } from 'zod';

/**
 * The bodies of LiteLLM's request models (`NewTeamRequest`, `UpdateTeamRequest`, `GenerateKeyRequest`, …), with the fields that a
 * gateway uses. Other fields are ignored, as LiteLLM ignores fields that its models do not have.
 */
const text = z.string().nullish();
const integer = z.int().nullish();
const amount = z.number().nullish();
const list = z.array(z.unknown()).nullish();
const dictionary = z.record(z.string(), z.unknown()).nullish();
const flag = z.boolean().nullish();

const limits = {
  max_budget: amount,
  soft_budget: amount,
  budget_duration: text,
  tpm_limit: integer,
  rpm_limit: integer,
  tpd_limit: integer,
};

const team = {
  team_alias: text,
  organization_id: text,
  metadata: dictionary,
  ...limits,
  model_aliases: dictionary,
  tags: list,
};

export const NewTeam = z.object({
  ...team,
  team_id: text,
  models: z.array(z.string()).optional(),
  blocked: z.boolean().optional(),
});
export const UpdateTeam = z.object({ ...team, team_id: z.string(), models: list, blocked: flag });
export const DeleteTeams = z.object({ team_ids: z.array(z.string()) });
export const BlockTeam = z.object({ team_id: z.string() });

const key = {
  key_alias: text,
  duration: text,
  models: list,
  spend: amount,
  user_id: text,
  team_id: text,
  organization_id: text,
  metadata: dictionary,
  max_parallel_requests: integer,
  blocked: flag,
  aliases: dictionary,
  permissions: dictionary,
  allowed_routes: list,
  tags: list,
  ...limits,
};

export const GenerateKey = z.object({ ...key, key: text });
export const UpdateKey = z
  .object({ ...key, key: text })
  .refine(({ key, key_alias }) => (key ?? key_alias) != null, 'either key or key_alias must be provided');
export const DeleteKeys = z
  .object({ keys: z.array(z.string()).nullish(), key_aliases: z.array(z.string()).nullish() })
  .refine(
    ({ keys, key_aliases }) => Boolean(keys?.length || key_aliases?.length),
    "At least one of 'keys' or 'key_aliases' must be provided.",
  );
export const BlockKey = z.object({ key: z.string() });

export type GenerateKey = z.infer<typeof GenerateKey>;
