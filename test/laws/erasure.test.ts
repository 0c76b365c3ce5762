import t from 'tap'
import { exportedColumns, personTables } from '../../server/store/exports/tables/person.js'
import { personalColumns } from '../../server/store/users/personal-data.js'
import { accountColumns } from './erasure.js'
import { sourcesIn } from './sources.js'

t.test(
  'the erasure of a person knows each column that names an account (server/store/users/personal-data.ts)',
  async t => {
    const found = accountColumns(sourcesIn(['server/store/migrations'], ['.sql']))
    t.same(Object.keys(personalColumns).sort(), found)
  },
)

t.test('the export of a person knows each of them (server/store/exports/tables/person.ts)', async t => {
  t.same(Object.keys(exportedColumns).sort(), Object.keys(personalColumns).sort())
  for (const [column, place] of Object.entries(exportedColumns)) {
    t.ok(place.startsWith('- ') || place in personTables, `${column}: ${place}`)
  }
})

t.test('the law finds columns of new and of changed tables', async t => {
  const text = `create table a (
  id int primary key,
  -- A comment.
  user_id int not null,
  made int references users,
  readers bigint[] not null,
  channel_ids int[] not null,
  muted_users jsonb,
  primary key (user_id, id)
);
alter table b add column id int, add column bot_owner_id int;`
  t.same(accountColumns([{ path: 'x.sql', text }]), [
    'a.made',
    'a.muted_users',
    'a.readers',
    'a.user_id',
    'b.bot_owner_id',
  ])
})
