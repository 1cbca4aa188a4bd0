/**
 * Which models may serve a name, for a team: an alias first, then a model group (`spec 4.1` and `spec 7.5`). A fragment, because
 * it is part of the one statement that admits a call. Parameters: `call_id`, `team_id`, `requested_model`; `vectors_kept_minutes`, null but
 * for a call of embeddings: that has fallbacks only where they are of the same model (`spec 30.4`); and `most_unfinished`, null but for a
 * background response: so many of the team may be unfinished (`spec 29.18`), counted under a lock of the team: decision 121. If the alias cannot serve,
 * the group of that name does; without such a group the refusal is the alias's: denied, or inactive. The columns of `resolved`:
 * model_group_used (null for an alias), candidates (json array), extra_fields and blocked_fields (text[]), max_output_tokens, refusal (a
 * code, or null). Each part is read once: merged into the columns that follow, its inner selects would be prepared at each of their forty uses,
 * which took longer than all else in the statement.
 */
export const resolution = `
  alias as materialized (
    select a.status = 'active' as usable, a.extra_fields, a.blocked_fields, a.max_output_tokens, a.embedding_fallbacks,
           exists (select from team_access_groups tg
                     join model_access_groups g on g.model_access_group_id = tg.model_access_group_id and g.status = 'active'
                     join model_access_group_aliases ga on ga.model_access_group_id = g.model_access_group_id
                    where tg.team_id = :team_id and ga.model_alias_id = a.model_alias_id) as shared,
           (select json_agg(json_build_object(
                     'model', models.model,
                     'inputPerMillion', a.input_price_per_million::text,
                     'outputPerMillion', a.output_price_per_million::text,
                     'cachedInputPerMillion', a.cached_input_price_per_million::text,
                     'cacheWritePerMillion', a.cache_write_price_per_million::text
                   ) order by models.position)
              from unnest(array_prepend(a.model_name, a.fallbacks)) with ordinality as models (model, position)) as candidates
      from model_aliases a where a.alias_name = :requested_model
  ), model_group as materialized (
    select g.status = 'active' as usable, g.extra_fields, g.blocked_fields, g.max_output_tokens, g.embedding_fallbacks,
           exists (select from team_model_groups tg where tg.team_id = :team_id and tg.model_group_id = g.model_group_id) as assigned,
           (select json_agg(json_build_object('model', m.model_name,
                                              'inputPerMillion', m.input_price_per_million::text,
                                              'outputPerMillion', m.output_price_per_million::text,
                                              'cachedInputPerMillion', m.cached_input_price_per_million::text,
                                              'cacheWritePerMillion', m.cache_write_price_per_million::text)
                            order by m.priority, m.position, m.model_name collate "C")
              from model_group_members m where m.model_group_id = g.model_group_id and m.is_active) as candidates
      from model_groups g where g.group_name = :requested_model
  ), chosen as materialized (
    select case when alias.usable and alias.shared then alias.embedding_fallbacks else model_group.embedding_fallbacks end as embedding_fallbacks,
           case when alias.usable and alias.shared then null else :requested_model end as model_group_used,
           case when alias.usable and alias.shared then alias.candidates else model_group.candidates end as candidates,
           case when alias.usable and alias.shared then alias.extra_fields else model_group.extra_fields end as extra_fields,
           case when alias.usable and alias.shared then alias.blocked_fields else model_group.blocked_fields end as blocked_fields,
           case when alias.usable and alias.shared then alias.max_output_tokens else model_group.max_output_tokens end as max_output_tokens,
           case when alias.usable and alias.shared then null
                when model_group.usable is null and not alias.shared then 'model_group_denied'
                when model_group.usable is null then 'model_group_unusable'
                when not model_group.assigned then 'model_group_denied'
                when not model_group.usable then 'model_group_unusable'
                when model_group.candidates is null then 'model_group_empty' end as refusal
      from (select 1) one left join alias on true left join model_group on true
  ), resolved as (
    select model_group_used, extra_fields, blocked_fields, max_output_tokens,
           case when refusal is not null or :most_unfinished::int is null then refusal
                when unfinished_responses(:team_id, :call_id::uuid) >= :most_unfinished then 'responses_unfinished' end as refusal,
           case when :vectors_kept_minutes::int is null or embedding_fallbacks then candidates
                else json_build_array(candidates -> 0) end as candidates
      from chosen
  )`;
