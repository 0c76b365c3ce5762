import t from 'tap'
import { budgets } from '../../server/config/budgets.js'
import { matchesQueueNarrow, parseQueueNarrow, type QueueMessage } from '../../server/narrow/grammar/queue-narrow.js'
import { refusal } from '../text/refusal.js'
import { someNames } from '../text/some-names.js'

const inChannel: QueueMessage = {
  message: { type: 'stream', stream_id: 1, display_recipient: 'ops room', subject: 'Lunch', sender_email: 'Ann@x.org' },
  flags: [],
}
const direct: QueueMessage = {
  message: { type: 'private', display_recipient: [], subject: '', sender_email: 'bo@x.org' },
  flags: ['read', 'mentioned'],
}
const matches = (pairs: string[][], event: QueueMessage) => {
  // The narrow is stored with its queue: what JSON loses must not matter.
  const narrow = JSON.parse(JSON.stringify(parseQueueNarrow(pairs, someNames))) as ReturnType<typeof parseQueueNarrow>
  return matchesQueueNarrow(narrow, event)
}

t.test('no conditions match everything', async t => {
  t.equal(matches([], inChannel), true)
  t.equal(matches([], direct), true)
})

t.test('a channel is known by its id, also after it was renamed', async t => {
  const renamed = { ...inChannel, message: { ...inChannel.message, display_recipient: 'new name' } }
  t.equal(matches([['stream', 'ops room']], renamed), true)
  t.equal(matches([['channel', 'a.b & <c>']], inChannel), false)
  t.equal(matches([['channel', 'ops room']], direct), false)
})

t.test('a channel that did not exist is known by its name', async t => {
  const later = { ...inChannel, message: { ...inChannel.message, stream_id: 9, display_recipient: 'Later' } }
  t.equal(matches([['channel', 'LATER']], later), true)
  t.equal(matches([['channel', 'later']], inChannel), false)
  t.equal(matches([['channel', 'later']], direct), false)
})

t.test('topic and sender ignore case', async t => {
  t.equal(
    matches(
      [
        ['topic', 'lunCH'],
        ['sender', 'ann@X.org'],
      ],
      inChannel,
    ),
    true,
  )
  t.equal(matches([['subject', 'dinner']], inChannel), false)
  const greek = { ...inChannel, message: { ...inChannel.message, subject: 'ΟΔΟΣ' } }
  t.equal(matches([['topic', 'οδοσ']], greek), true, 'as in searches')
  t.equal(matches([['topic', 'οδος']], greek), false)
  t.equal(matches([['from', 'bo@x.org']], inChannel), false)
  t.equal(matches([['topic', '']], direct), false, 'a direct message has no topic')
})

t.test('all conditions must hold', async t => {
  t.equal(
    matches(
      [
        ['channel', 'ops room'],
        ['topic', 'dinner'],
      ],
      inChannel,
    ),
    false,
  )
  t.equal(
    matches(
      [
        ['topic', 'lunch'],
        ['topic', 'dinner'],
      ],
      inChannel,
    ),
    false,
  )
})

t.test('is looks at the kind of message, its topic and the flags', async t => {
  const resolved = { ...inChannel, message: { ...inChannel.message, subject: '✔ Lunch' } }
  for (const word of ['dm', 'private', 'mentioned', 'alerted']) {
    t.equal(matches([['is', word]], direct), true, word)
    t.equal(matches([['is', word]], inChannel), false, word)
  }
  t.equal(matches([['is', 'unread']], inChannel), true)
  t.equal(matches([['is', 'unread']], direct), false)
  t.equal(matches([['is', 'starred']], { ...direct, flags: ['starred'] }), true)
  t.equal(matches([['is', 'starred']], direct), false)
  t.equal(matches([['is', 'resolved']], resolved), true)
  t.equal(matches([['is', 'resolved']], inChannel), false)
})

t.test('another word after is matches everything', async t => {
  t.equal(matches([['is', 'constructor']], inChannel), true)
  t.equal(matches([['is', 'muted']], direct), true)
})

t.test('what a queue cannot tell is refused', async t => {
  const bad = [
    ['is', 'followed'],
    ['search', 'x'],
    ['has', 'link'],
    ['near', '1'],
    ['id', '1'],
    ['dm', 'a@x.org'],
    ['in', 'home'],
    ['with', '1'],
    ['', ''],
    ['constructor', 'x'],
    ['is'],
    ['is', 'dm', 'x'],
    [],
  ]
  for (const pair of bad)
    t.type(
      refusal(() => parseQueueNarrow([pair], someNames)),
      'string',
      JSON.stringify(pair),
    )
})

t.test('more than a narrow may have is refused', async t => {
  const told = (pairs: string[][]) => refusal(() => parseQueueNarrow(pairs, someNames))
  t.match(told(Array(budgets.narrowTerms.most + 1).fill(['is', 'dm'])), /more than 50 terms/)
  t.match(told(Array(11).fill(['topic', 'x'.repeat(1000)])), /more than 10000 characters/)
})
