import t from 'tap'
import { answerMessages } from '../../server/store/message-rows.js'
import { migrate } from '../../server/store/migrate.js'
import { testOrganization } from '../support/server.js'

t.test('the changes of messages from before they had rows of their own are still told', async t => {
  const { sql, schema, services } = await testOrganization(t)
  await sql`drop table message_edits`
  await sql`alter table messages add column edit_history jsonb`
  await sql`delete from migrations where name like '%message-edits%'`
  const history = [
    { user_id: 7, timestamp: 1_700_000_002, prev_topic: 'a', topic: 'b', prev_stream: 1, stream: 2 },
    { user_id: 7, timestamp: 1_700_000_001, prev_content: 'one', prev_rendered_content: '<p>one</p>' },
  ]
  const rows = await sql<{ id: number }[]>`
    insert into messages (sender_id, conversation_id, content, rendered_content, renderer_version, last_edit_time, edit_history)
    values (7, 1, 'two', '<p>two</p>', 1, now(), ${sql.json(history)}), (7, 1, 'x', '<p>x</p>', 1, null, null)
    returning id`
  await migrate(services.databaseUrl, schema)
  const read = async (edits: 'all' | 'moves' | 'none') => {
    const ids = rows.map(row => row.id)
    return (await answerMessages(sql, 7, ids, { near: 0, bytes: 1e6, edits, texts: 'both' })).map(
      row => row.edit_history,
    )
  }
  t.same(await read('all'), [history, null])
  t.same(await read('moves'), [history.slice(0, 1), null])
  t.same(await read('none'), [null, null])
})
