import { Migration } from '@mikro-orm/migrations';

/** Jobs that calls make for their task: at most one of a task takes calls. And calls that end their open job. */
export class TaskJobs extends Migration {
  override up(): void {
    this.addSql(`
      alter table jobs
        -- Whether a call made the job for its task.
        add column for_task boolean not null default false,
        -- Whether the job has refused a call of its task because it is completing: later calls of the task leave it out.
        add column closing boolean not null default false,
        add constraint task_jobs_have_a_task check (not for_task or (external_task_id is not null and not single_call));
      alter table calls add column end_job text check (end_job in ('call', 'answer'));
      create unique index one_open_job_a_task on jobs (team_id, external_task_id)
        where for_task and not closing and status in ('pending', 'in_progress');
      create index open_jobs_of_task on jobs (team_id, external_task_id, created_at desc, job_id desc)
        where external_task_id is not null and not single_call and not closing and status in ('pending', 'in_progress');
    `);
  }
}
