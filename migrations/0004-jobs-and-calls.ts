import { Migration } from '@mikro-orm/migrations';

/**
 * Jobs, their calls, and the attempts of each call. Requests and responses are in a table of their own, so that they can be
 * deleted while the rows of their calls stay. A job's totals are increased with each recorded call.
 */
export class JobsAndCalls extends Migration {
  override up(): void {
    this.addSql(`
      create table jobs (
        job_id uuid primary key,
        team_id text not null references teams,
        organization_id text not null references organizations,
        user_id text,
        job_type text not null,
        external_task_id text,
        single_call boolean not null default false,
        -- Whether a call made the job for its task: at most one such job of a task accepts calls.
        for_task boolean not null default false,
        -- Whether the job has refused a call of its task because it is completing: later calls of the task pass it over.
        closing boolean not null default false,
        -- Whether the activity that makes the only call also settles the job. False once anything else is requested of the job.
        ends_with_call boolean not null default false,
        status text not null default 'pending'
          check (status in ('pending', 'in_progress', 'completed', 'failed', 'cancelled')),
        metadata jsonb not null default '{}',
        model_groups_used text[] not null default '{}',
        credit_applied boolean not null default false,
        error_message text check (char_length(error_message) <= 1000),
        cancel_reason text check (char_length(cancel_reason) <= 1000),
        created_at timestamptz(3) not null default now(),
        started_at timestamptz(3),
        completed_at timestamptz(3),
        updated_at timestamptz(3) not null default now(),
        total_calls integer not null default 0,
        failed_calls integer not null default 0,
        total_prompt_tokens bigint not null default 0,
        total_completion_tokens bigint not null default 0,
        total_tokens bigint not null default 0,
        total_cost_usd numeric not null default 0,
        total_latency_ms bigint not null default 0,
        credits_remaining integer,
        -- What the job was charged by, written with its end: later changes of its team do not change the reason.
        credits_charged integer not null default 0 check (credits_charged >= 0),
        budget_mode text check (budget_mode in ('job_based', 'consumption_usd', 'consumption_tokens')),
        -- Credits per dollar or tokens per credit, by the mode; null where the mode has no rate.
        credit_rate numeric check (credit_rate > 0),
        -- The limit of the budget; null: the budget was unlimited.
        credit_limit integer,
        ended_by text check (ended_by in ('client', 'call', 'admin', 'operator', 'idle', 'service')),
        constraint charged_jobs_have_a_charge check (credit_applied = (credits_charged > 0)),
        constraint finished_jobs_have_an_end check ((status in ('completed', 'failed', 'cancelled')) = (completed_at is not null)),
        constraint only_completed_jobs_are_charged check (not credit_applied or (status = 'completed' and failed_calls = 0)),
        constraint only_single_call_jobs_end_with_their_call check (single_call or not ends_with_call),
        constraint task_jobs_have_a_task check (not for_task or (external_task_id is not null and not single_call))
      );
      create index jobs_of_team on jobs (team_id, created_at desc, job_id);
      create index jobs_of_organization on jobs (organization_id, created_at desc, job_id);
      create index jobs_newest_first on jobs (created_at desc, job_id);
      -- Bytewise, for searches by the beginning of a reference.
      create index jobs_of_task on jobs (team_id, external_task_id text_pattern_ops, created_at desc, job_id)
        where external_task_id is not null;
      create unique index one_open_job_a_task on jobs (team_id, external_task_id)
        where for_task and not closing and status in ('pending', 'in_progress');
      create index open_jobs_of_task on jobs (team_id, external_task_id, created_at desc, job_id desc)
        where external_task_id is not null and not single_call and not closing and status in ('pending', 'in_progress');
      create index open_jobs on jobs (team_id, created_at) where status in ('pending', 'in_progress');
      -- The newest failures, which the overview shows.
      create index failed_jobs on jobs (completed_at desc) where status = 'failed';
      create index failed_jobs_of_team on jobs (team_id, completed_at desc) where status = 'failed';
      -- Maintenance compares what is open with Temporal.
      create index open_jobs_oldest_first on jobs (created_at, job_id) where status in ('pending', 'in_progress');
      -- For lists (decision 68). Of ended jobs only: a job is written to them once, with its end, and not at all to the first two
      -- if it was charged.
      -- The conditions of the two mean the same and differ, so that the first is not read for a team.
      create index uncharged_jobs on jobs (created_at desc, job_id) where completed_at is not null and credits_charged = 0;
      create index uncharged_jobs_of_team on jobs (team_id, created_at desc, job_id) where completed_at is not null and not credit_applied;
      create index ended_jobs_by_end on jobs (completed_at desc, created_at desc, job_id) where completed_at is not null;
      create index ended_jobs_by_start on jobs (started_at desc, created_at desc, job_id) where completed_at is not null;
      create index ended_jobs_by_type on jobs (job_type desc, created_at desc, job_id) where completed_at is not null;

      create function refuse_second_end() returns trigger language plpgsql as $$
      begin
        raise exception 'job % is already %', old.job_id, old.status using errcode = 'restrict_violation';
      end $$;
      create trigger refuse_second_end before update on jobs for each row
        when (old.status in ('completed', 'failed', 'cancelled') and new.status <> old.status)
        execute function refuse_second_end();

      create table calls (
        call_id uuid primary key,
        position bigint generated always as identity,
        job_id uuid not null references jobs,
        team_id text not null,
        purpose text check (char_length(purpose) <= 200),
        requested_model text not null,
        model_group_used text,
        candidates jsonb not null,
        resolved_model text not null,
        model_used text,
        streamed boolean not null,
        status text not null default 'queued'
          check (status in ('queued', 'running', 'succeeded', 'failed', 'refused', 'retracted')),
        worker_attempt integer not null default 0,
        prompt_tokens integer not null default 0 check (prompt_tokens >= 0),
        completion_tokens integer not null default 0 check (completion_tokens >= 0),
        total_tokens integer not null default 0 check (total_tokens >= 0),
        -- Parts of the prompt and of the completion. Null: the upstream reported none.
        cached_tokens integer check (cached_tokens >= 0),
        reasoning_tokens integer check (reasoning_tokens >= 0),
        cost_usd numeric not null default 0 check (cost_usd >= 0),
        latency_ms integer not null default 0 check (latency_ms >= 0),
        finish_reason text,
        -- Of the answer of a successful call.
        has_tool_calls boolean not null default false,
        error text check (char_length(error) <= 1000),
        failure text check (
          failure in ('context_length', 'content_policy', 'rejected', 'misconfigured', 'rate_limited', 'timeout', 'error')
        ),
        call_metadata jsonb,
        end_job text check (end_job in ('call', 'answer')),
        created_at timestamptz(3) not null default now(),
        started_at timestamptz(3),
        first_token_at timestamptz(3),
        finished_at timestamptz(3),
        recorded_at timestamptz(3),
        constraint failures_have_a_reason check ((status in ('failed', 'refused')) = (error is not null)),
        constraint only_failed_calls_have_a_failure check (failure is null or status = 'failed')
      );
      create index calls_of_job on calls (job_id, position);

      create function refuse_second_end_of_call() returns trigger language plpgsql as $$
      begin
        raise exception 'call % is already %', old.call_id, old.status using errcode = 'restrict_violation';
      end $$;
      -- After the update: a trigger before it would lock the row first, with a record in the write-ahead log.
      create trigger refuse_second_end_of_call after update on calls for each row
        when (old.status in ('succeeded', 'failed', 'refused', 'retracted') and new.status <> old.status)
        execute function refuse_second_end_of_call();
      -- By columns that do not change when a call begins: PostgreSQL then updates the row in place and writes to no index.
      create index unfinished_calls on calls (team_id) where finished_at is null;
      -- For the sums by hour. Only the end of a call writes to it, which writes to every index anyway.
      create index recorded_calls on calls (recorded_at) where recorded_at is not null;

      create table call_attempts (
        call_id uuid not null references calls,
        attempt_number integer not null,
        worker_attempt integer not null,
        model text not null,
        outcome text not null check (outcome in ('succeeded', 'failed', 'cancelled', 'interrupted')),
        error text,
        latency_ms integer not null default 0,
        prompt_tokens integer not null default 0,
        completion_tokens integer not null default 0,
        cost_usd numeric not null default 0,
        created_at timestamptz(3) not null default now(),
        primary key (call_id, attempt_number)
      );

      -- Text, because jsonb changes the form of some values and refuses others.
      create table call_payloads (
        call_id uuid primary key,
        request text not null,
        -- What the request has beyond the known fields, and the names of these that its model permits.
        options text,
        extra_fields text[],
        -- Large data URLs are replaced once their call has ended.
        has_data_urls boolean not null default false,
        response text,
        -- Of a call that a repetition of its request may receive: the same for equal requests, and the process whose client
        -- waits for the answer, by the name of its connections.
        fingerprint bytea,
        awaited_by text,
        created_at timestamptz(3) not null default now(),
        constraint repeatable_calls_are_awaited check ((fingerprint is null) = (awaited_by is null))
      );
      create index payloads_by_fingerprint on call_payloads (fingerprint) where fingerprint is not null;
      create index payloads_oldest_first on call_payloads (created_at);
      create index payloads_with_data_urls on call_payloads (created_at) where has_data_urls;
    `);
  }
}
