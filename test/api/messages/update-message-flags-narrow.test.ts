import t from 'tap'
import { startServer } from '../../support/server.js'
import { channelOf, people, say } from './scene.js'

const server = await startServer(t)
const [author, reader] = await people(server, 2)
const channel = await channelOf([author, reader])
const ids = [await say(author, channel.id), await say(author, channel.id), await say(author, channel.id)] as const
const narrow = [{ operator: 'channel', operand: channel.name }]
const star = (params: Record<string, unknown>) =>
  reader.post('/messages/flags/narrow', { narrow, num_before: 0, num_after: 0, op: 'add', flag: 'starred', ...params })
const starred = async () => {
  const { messages } = await reader.ok('GET', '/messages', {
    narrow: [['is', 'starred']],
    anchor: 'oldest',
    num_after: 9,
  })
  return messages.map(({ id }: { id: number }) => id)
}

t.test('the anchor may be left out at an end of the range', async t => {
  const { body } = await star({ anchor: ids[0], num_after: 2, include_anchor: false })
  t.match(body, { processed_count: 2, first_processed_id: ids[1], last_processed_id: ids[2] })
  t.same(await starred(), [ids[1], ids[2]])
  const both = await star({ anchor: ids[1], num_before: 1, num_after: 1, include_anchor: false })
  t.match(both, { status: 400, body: { code: 'BAD_REQUEST' } }, 'but not in the midst of it')
})

t.test('an anchor may be a date', async t => {
  const { body } = await star({ anchor: 'date', anchor_date: '2020-01-01T00:00:00Z', num_after: 0 })
  t.match(body, { processed_count: 1, first_processed_id: ids[0] })
  t.same(await starred(), ids)
  for (const anchor_date of ['soon', '2020-13-01', '']) {
    t.match(await star({ anchor: 'date', anchor_date }), { status: 400, body: { code: 'BAD_REQUEST' } }, anchor_date)
  }
  t.match(await star({ anchor: 'date' }), { status: 400, body: { code: 'BAD_REQUEST' } })
})
