import { migrations } from '../../migrations/index.ts';
import { findProblems } from './migration-rules.ts';

type MigrationClass = (typeof migrations)[number]['class'];

async function readMigration({ name, class: Class }: { name: string; class: MigrationClass }) {
  const migration = new Class(undefined as never, undefined as never);
  await migration.up();
  const sql = migration.getQueries().map((query) => String(query));
  return { name, sql: sql.join(';\n'), isTransactional: migration.isTransactional() };
}

test('no migration holds up the calls of a running installation', async () => {
  const read = await Promise.all(migrations.map(readMigration));

  expect(read.filter(({ sql }) => sql.trim() === '')).toEqual([]);
  expect(read.flatMap(findProblems)).toEqual([]);
});

const problems = (sql: string, isTransactional = true) => findProblems({ name: 'one', sql, isTransactional });

test.each([
  [
    'create table made (id uuid primary key); create index i on made (id); alter table made add constraint c check (true)',
  ],
  ['alter table calls add column note text'],
  ['alter table calls add column retries integer not null default 0'],
  ['alter table calls add constraint c check (retries >= 0) not valid'],
  ['alter table calls validate constraint c'],
  ['alter table calls drop constraint c; alter table calls alter column note drop not null'],
  ['create function f() returns trigger language plpgsql as $$ begin update calls set note = 1; end $$'],
  ['insert into sweep_cursors (name, done_until) values (1, now())'],
])('a migration is allowed: %s', (sql) => {
  expect(problems(sql)).toEqual([]);
});

test('an index that is built concurrently is allowed in a migration without a transaction', () => {
  const sql = 'drop index concurrently if exists i; create index concurrently i on calls (note)';

  expect(problems(sql, false)).toEqual([]);
  expect(problems(sql, true)).toHaveLength(1);
  expect(problems('create index concurrently i on calls (note)', false)).toHaveLength(1);
});

test.each([
  ['create index i on calls (note)'],
  ['create unique index if not exists i on calls (note)'],
  ['alter table calls add constraint c check (retries >= 0)'],
  ['alter table calls add constraint c foreign key (job_id) references jobs'],
  ['alter table calls add unique (note)'],
  ['alter table calls add constraint c check (true) not valid; alter table calls validate constraint c'],
  ['alter table calls add column other uuid references jobs'],
  ['alter table calls add other integer check (other > 0)'],
  ['alter table calls add column other uuid not null default gen_random_uuid()'],
  ['alter table calls alter column note type integer using 1'],
  ['ALTER TABLE calls\n  ALTER note SET NOT NULL'],
  ['alter table calls rename column note to remark'],
  ['alter table calls rename to requests'],
  ['alter table calls drop column note'],
  ['alter table calls drop note'],
  ['drop table calls'],
  ['update calls set note = null'],
  ['delete from calls'],
  ['with old as (select 1) update calls set note = null'],
  ['lock table calls in exclusive mode'],
  ['vacuum full calls'],
])('a migration is refused: %s (spec 15.11)', (sql) => {
  expect(problems(sql)).not.toEqual([]);
});
