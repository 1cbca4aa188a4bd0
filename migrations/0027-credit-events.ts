import { Migration } from '@mikro-orm/migrations';

/**
 * Events about the credits of a team (`spec 22`). A trigger of the ledger writes those of every row, whatever statement has written the
 * row: it costs a settlement less than parts of its statement would, and finds what waited for the lock of the account. See decision 109.
 */
export class CreditEvents extends Migration {
  override up(): void {
    // What exhausted the account, a row of the ledger or a job. Null: nothing since its balance last rose.
    this.addSql('alter table credit_accounts add column exhausted_by uuid');
    // The webhook is locked because the foreign key would lock it anyway, and fail if it is being deleted.
    this.addSql(`
      create function publish_credit_event(of_team text, of_job uuid, event_name text, event_data jsonb) returns void language sql as $$
        insert into webhook_deliveries (delivery_id, webhook_id, event, job_id, body)
        select gen_random_uuid(), w.webhook_id, event_name, of_job,
               json_build_object('event', event_name, 'job_id', of_job, 'team_id', of_team,
                                 'timestamp', to_char(clock_timestamp() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
                                 'data', event_data)::text
          from webhooks w where w.team_id = of_team and w.is_active and not w.skips_events and event_name = any (w.events)
           for key share of w
      $$
    `);
    // True: the fixed budget has less than these credits, and was not exhausted before.
    this.addSql(`
      create function exhaust_credits(of_team text, of_job uuid, exhausting uuid, reason text, needed integer) returns boolean
      language plpgsql as $$
      declare account record;
      begin
        update credit_accounts set exhausted_by = exhausting
          where team_id = of_team and exhausted_by is null and credit_limit is not null and credits_remaining - credits_held < needed
          returning credits_remaining, credits_remaining - credits_held as credits_available into account;
        if found then
          perform publish_credit_event(of_team, of_job, 'credits.exhausted', jsonb_build_object(
            'reason', reason, 'credits_remaining', account.credits_remaining, 'credits_available', account.credits_available));
        end if;
        return found;
      end $$
    `);
    // A query of a function sees what was committed while its statement waited for a lock.
    this.addSql(`
      create function refuse_charge(of_team text, of_job uuid, needed integer, out credits_remaining integer, out is_exhausted boolean)
      language plpgsql as $$
      begin
        is_exhausted := exhaust_credits(of_team, of_job, of_job, 'charge', needed);
        select a.credits_remaining into credits_remaining from credit_accounts a where a.team_id = of_team;
      end $$
    `);
    this.addSql(`
      create function publish_events_of_ledger_row() returns trigger language plpgsql as $$
      declare thresholds integer[]; crossed integer;
      begin
        if new.credits_after > new.credits_before then
          update credit_accounts set exhausted_by = null where team_id = new.team_id and exhausted_by is not null;
          return null;
        end if;
        select credit_thresholds into thresholds from teams where team_id = new.team_id;
        if new.credits_after <= any (thresholds) and new.credits_before > any (thresholds) then
          for crossed in
            select distinct threshold from unnest(thresholds) threshold
              where threshold >= new.credits_after and threshold < new.credits_before order by threshold desc
          loop
            perform publish_credit_event(new.team_id, new.job_id, 'credits.threshold', jsonb_build_object(
              'threshold', crossed, 'credits_remaining', new.credits_after, 'transaction_id', new.transaction_id,
              'transaction_type', new.transaction_type));
          end loop;
        end if;
        if new.credits_after < 1 and new.credits_before >= 1 then
          perform exhaust_credits(new.team_id, new.job_id, new.transaction_id, 'balance', 1);
        end if;
        return null;
      end $$;
      create trigger publish_events_of_ledger_row after insert on credit_transactions
        for each row execute function publish_events_of_ledger_row()
    `);
  }
}
