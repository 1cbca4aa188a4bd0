import { Migration } from '@mikro-orm/migrations';

/**
 * Budgets of jobs. The row of a call is its reservation, so nothing counts what is held: it is summed when it is needed, over the calls
 * of the job that are not recorded. A sum in the statement that admits a call would be that of before its wait for a lock, so
 * `reserve_in_budget` locks the budget and sums after that: decision 110.
 */
export class JobBudgets extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    // What the upstream lists of its models. It is read again, so nothing is lost with the table.
    this.addSql('drop table if exists listed_models');
    this.addSql(`
      create table listed_models (
        model text primary key,
        input_price_per_million numeric,
        output_price_per_million numeric,
        max_output_tokens integer check (max_output_tokens > 0)
      )
    `);
    this.addSql(inForce);
    this.addSql(sums);
    this.addSql(noSums);
    this.addSql(view);
    this.addSql(decide);
    this.addSql(reserve);
    this.addSql('drop index concurrently if exists unrecorded_calls_of_job');
    // Only the record of a call writes to it again, which writes to every index anyway.
    this.addSql('create index concurrently unrecorded_calls_of_job on calls (job_id) where recorded_at is null');
  }
}

/**
 * The budget of a new job; null if it has none. Each field by itself is what the request has, else what `given` has: present nulls are
 * no cap. The maxima bound both: where there is no cap, the maximum is one. Raises `budget_above_maximum` for a request's own figure
 * above a maximum, unless the job exists: then an execution of the same request has created it.
 */
const inForce = `
  create or replace function budget_in_force(p_job_id uuid, given jsonb, requested jsonb, maxima jsonb)
  returns job_budgets language plpgsql stable as $$
  declare
    asked jsonb := given || coalesce(requested, '{}');
    above jsonb;
    budget job_budgets;
  begin
    select jsonb_agg(jsonb_build_object('field', cap, 'maximum', maxima -> cap) order by position) into above
      from unnest(array['max_cost_usd', 'max_tokens', 'max_calls', 'deadline_seconds']) with ordinality caps (cap, position)
     where (requested ->> cap)::numeric > (maxima ->> cap)::numeric;
    if above is not null and not exists (select from jobs where job_id = p_job_id) then
      raise exception 'budget above the maximum of its team'
        using errcode = 'check_violation', constraint = 'budget_above_maximum', detail = above::text;
    end if;
    budget.max_cost_usd := least((asked ->> 'max_cost_usd')::numeric, (maxima ->> 'max_cost_usd')::numeric);
    budget.max_tokens := least((asked ->> 'max_tokens')::bigint, (maxima ->> 'max_tokens')::bigint);
    budget.max_calls := least((asked ->> 'max_calls')::integer, (maxima ->> 'max_calls')::integer);
    budget.deadline_seconds := least((asked ->> 'deadline_seconds')::integer, (maxima ->> 'deadline_seconds')::integer);
    if requested is null
       and num_nonnulls(budget.max_cost_usd, budget.max_tokens, budget.max_calls, budget.deadline_seconds) = 0 then
      return null;
    end if;
    budget.job_id := p_job_id;
    budget.deadline_grace_seconds := coalesce((asked ->> 'deadline_grace_seconds')::integer, 0);
    budget.default_output_tokens := coalesce((asked ->> 'default_output_tokens')::integer, 16384);
    budget.deadline_at := now() + make_interval(secs => budget.deadline_seconds);
    budget.reached := '{}';
    return budget;
  end $$`;

/** What a job has spent and what its calls hold. A call holds until the statement that records its cost. */
const sums = `
  create or replace function budget_sums(p_job_id uuid) returns jsonb language sql stable as $$
    select jsonb_build_object(
             'spent', jsonb_build_object('cost_usd', j.total_cost_usd + j.assumed_cost_usd,
                                         'tokens', j.total_tokens + j.assumed_tokens, 'calls', j.total_calls),
             'held', jsonb_build_object('cost_usd', held.cost_usd, 'tokens', held.tokens, 'calls', held.calls),
             'assumed', jsonb_build_object('cost_usd', j.assumed_cost_usd, 'tokens', j.assumed_tokens))
      from jobs j,
           lateral (select coalesce(sum(c.held_usd), 0) as cost_usd, coalesce(sum(c.held_tokens), 0) as tokens, count(*) as calls
                      from calls c where c.job_id = j.job_id and c.recorded_at is null and c.status <> 'refused') held
     where j.job_id = p_job_id
  $$`;

/** The sums of a job that was just made. */
const noSums = `
  create or replace function no_budget_sums() returns jsonb language sql immutable as $$
    select '{"spent": {"cost_usd": 0, "tokens": 0, "calls": 0}, "held": {"cost_usd": 0, "tokens": 0, "calls": 0},
             "assumed": {"cost_usd": 0, "tokens": 0}}'::jsonb
  $$`;

/** A budget as answers show it. */
const view = `
  create or replace function budget_view(budget job_budgets, sums jsonb) returns jsonb language plpgsql stable as $$
  declare
    caps jsonb := jsonb_build_object('cost_usd', budget.max_cost_usd, 'tokens', budget.max_tokens, 'calls', budget.max_calls);
  begin
    return to_jsonb(budget) - 'job_id' || sums || (
      select jsonb_build_object(
               'held', jsonb_object_agg(unit, case when cap is null then 0 else held end),
               'remaining', jsonb_object_agg(unit, case when cap is not null then greatest(cap - spent - held, 0) end))
        from (select unit, (caps ->> unit)::numeric as cap, (sums #>> array['spent', unit])::numeric as spent,
                     (sums #>> array['held', unit])::numeric as held
                from jsonb_object_keys(caps) unit) units);
  end $$`;

/**
 * Whether a call fits into a budget, and what it reserves: decides on figures alone. `call`: the candidates with their prices, the
 * tokens of the prompt, the most tokens of the answer that the request and the model permit, and whether the upstream's list may be
 * read again for a model that it does not have yet.
 */
export const decide = `
  create or replace function decide_reservation(budget job_budgets, sums jsonb, call jsonb)
  returns jsonb language plpgsql stable as $$
  declare
    is_reserved boolean := num_nonnulls(budget.max_cost_usd, budget.max_tokens) > 0;
    spent_usd numeric := sums #>> '{spent,cost_usd}';
    held_usd numeric := sums #>> '{held,cost_usd}';
    spent_tokens bigint := sums #>> '{spent,tokens}';
    held_tokens bigint := sums #>> '{held,tokens}';
    calls bigint := (sums #>> '{spent,calls}')::bigint + (sums #>> '{held,calls}')::bigint;
    prompt bigint := call ->> 'prompt_tokens';
    usable jsonb;
    inputs numeric[];
    outputs numeric[];
    listed_limit integer;
    is_listed boolean;
    wanted bigint;
    least_output bigint;
    least_usd numeric;
    refused jsonb;
    output bigint;
    own_usd numeric := 0;
    own_tokens bigint := 0;
  begin
    if is_reserved then
      select jsonb_agg(candidate order by position) filter (where is_usable),
             array_agg(coalesce(input, 0) order by position) filter (where is_usable),
             array_agg(coalesce(output_price, 0) order by position) filter (where is_usable),
             min(most) filter (where is_usable), bool_and(is_known)
        into usable, inputs, outputs, listed_limit, is_listed
        from (select priced.*, budget.max_cost_usd is null or num_nonnulls(input, output_price) > 0 as is_usable
                from (select c.candidate, c.position, l.model is not null as is_known, l.max_output_tokens as most,
                             case when own.has_price then (c.candidate ->> 'inputPerMillion')::numeric
                                  else l.input_price_per_million end as input,
                             case when own.has_price then (c.candidate ->> 'outputPerMillion')::numeric
                                  else l.output_price_per_million end as output_price
                        from jsonb_array_elements(call -> 'candidates') with ordinality c (candidate, position)
                        left join listed_models l on l.model = c.candidate ->> 'model'
                       cross join lateral (select coalesce(c.candidate ->> 'inputPerMillion', c.candidate ->> 'outputPerMillion')
                                                  is not null as has_price) own) priced) models;
      if not is_listed and (call ->> 'may_read_list')::boolean then
        return jsonb_build_object('refusal', 'list_needed');
      end if;
      if usable is null then
        return jsonb_build_object('refusal', 'price_unknown');
      end if;
    end if;
    if budget.deadline_at <= clock_timestamp() then
      return jsonb_build_object('refusal', 'job_deadline_exceeded', 'job_id', budget.job_id);
    end if;

    wanted := least(coalesce((call ->> 'output_tokens')::bigint, budget.default_output_tokens),
                    (call ->> 'max_output_tokens')::bigint, listed_limit);
    least_output := least(wanted, 1024);
    select max(prompt * i + least_output * o) * 0.000001 into least_usd from unnest(inputs, outputs) prices (i, o);
    -- For the cap of calls, those under way are spent.
    select jsonb_build_object('refusal', case when spent + needed > cap then 'job_budget_reached' else 'job_budget_held' end,
                              'cap', name, 'limit', cap, 'spent', spent, 'held', held, 'needed', needed, 'job_id', budget.job_id)
      into refused
      from (values (1, 'max_cost_usd', budget.max_cost_usd, spent_usd, held_usd, least_usd),
                   (2, 'max_tokens', budget.max_tokens::numeric, spent_tokens::numeric, held_tokens::numeric, (prompt + least_output)::numeric),
                   (3, 'max_calls', budget.max_calls::numeric, calls::numeric, 0::numeric, 1::numeric))
           caps (position, name, cap, spent, held, needed)
     where spent + held + needed > cap
     order by spent + needed > cap desc, position limit 1;
    if refused is not null then
      return refused;
    end if;

    if is_reserved then
      select least(wanted, budget.max_tokens - spent_tokens - held_tokens - prompt,
                   (select min(div((budget.max_cost_usd - spent_usd - held_usd) * 1000000 - prompt * i, o))
                      from unnest(inputs, outputs) prices (i, o) where o > 0))
        into output;
    end if;
    if budget.max_cost_usd is not null then
      select max(prompt * i + output * o) * 0.000001 into own_usd from unnest(inputs, outputs) prices (i, o);
    end if;
    if budget.max_tokens is not null then
      own_tokens := prompt + output;
    end if;
    return jsonb_build_object(
      'held_usd', own_usd, 'held_tokens', own_tokens, 'output_tokens', output, 'candidates', coalesce(usable, call -> 'candidates'),
      'view', budget_view(budget, sums || jsonb_build_object('held', jsonb_build_object(
        'cost_usd', held_usd + own_usd, 'tokens', held_tokens + own_tokens, 'calls', (sums #>> '{held,calls}')::bigint + 1))));
  end $$`;

/**
 * Reserves for a call in the budget of its job; null if that has none. The lock of the budget is held until the statement has
 * committed, so the next one sums what this one has reserved. The job is locked before its budget, as its deletion does, so that
 * neither waits for the other. The first 402 of a cap since the last change of the budget is noted, and has `is_first`.
 */
const reserve = `
  create or replace function reserve_in_budget(p_job_id uuid, p_call_id uuid, call jsonb)
  returns jsonb language plpgsql volatile as $$
  declare
    budget job_budgets;
    decision jsonb;
    reached_cap text;
  begin
    perform from jobs where job_id = p_job_id for key share;
    select * into budget from job_budgets where job_id = p_job_id for no key update;
    if not found then
      return null;
    end if;
    -- Another execution of the request has recorded the call.
    if exists (select from calls where call_id = p_call_id) then
      return jsonb_build_object('view', budget_view(budget, budget_sums(p_job_id)));
    end if;
    decision := decide_reservation(budget, budget_sums(p_job_id), call);
    reached_cap := decision ->> 'cap';
    if decision ->> 'refusal' = 'job_budget_reached' and not reached_cap = any (budget.reached) then
      update job_budgets set reached = array_append(reached, reached_cap) where job_id = p_job_id;
      return decision || '{"is_first": true}';
    end if;
    return decision;
  end $$`;
