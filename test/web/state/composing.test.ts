import t from 'tap'
import {
  charactersLeft,
  composerAct,
  lastOwnMessage,
  obstacleTo,
  placeWritten,
} from '../../../server/web/chat/composer/writing.js'
import type { ChatState } from '../../../server/web/state/chat-state.js'
import { limits } from '../../../shared/limits.js'

t.test('a message of a channel has a place once its topic is given', async t => {
  const channel = { kind: 'channel', channelId: 5 } as const
  t.same(placeWritten(channel, ' lunch '), { channelId: 5, topic: 'lunch' })
  t.equal(placeWritten(channel, '  '), undefined)
})

t.test('the view of a topic or conversation is the place, whatever topic was typed before', async t => {
  t.same(placeWritten({ kind: 'topic', channelId: 5, topic: 'tea' }, 'lunch'), { channelId: 5, topic: 'tea' })
  t.same(placeWritten({ kind: 'direct', key: '1,2' }, 'lunch'), { direct: '1,2' })
})

t.test('a view of several places is none to write to', async t => {
  for (const kind of ['all', 'mentions', 'starred', 'inbox', 'recent'] as const)
    t.equal(placeWritten({ kind }, 'x'), undefined)
})

t.test('characters are counted as the server counts them, without spaces around', async t => {
  t.equal(charactersLeft('  ab '), limits.max_message_length - 2)
  t.equal(charactersLeft('👍'), limits.max_message_length - 1)
  t.equal(charactersLeft('x'.repeat(limits.max_message_length + 3)), -3)
})

t.test('a message needs words, a length that the server takes, and a place, in this order', async t => {
  const place = { channelId: 5, topic: 'tea' }
  t.equal(obstacleTo('', undefined), 'empty')
  t.equal(obstacleTo('x'.repeat(limits.max_message_length + 1), undefined), 'tooLong')
  t.equal(obstacleTo('hello', undefined), 'noPlace')
  t.equal(obstacleTo('x'.repeat(limits.max_message_length), place), undefined)
})

t.test('Enter sends, unless it begins a new line', async t => {
  t.equal(composerAct('Enter', false, false), 'send')
  t.equal(composerAct('Enter', true, false), undefined)
})

t.test('arrow up edits the last message from an empty box alone', async t => {
  t.equal(composerAct('ArrowUp', false, true), 'editLast')
  t.equal(composerAct('ArrowUp', false, false), undefined)
})

t.test('Escape leaves the box; letters stay letters', async t => {
  t.equal(composerAct('Escape', false, true), 'leave')
  t.equal(composerAct('r', false, true), undefined)
})

t.test('the last own message is the newest of the view that the user sent', async t => {
  const messages = { 1: { sender_id: 7 }, 2: { sender_id: 7 }, 3: { sender_id: 8 }, 4: { sender_id: 7 } }
  const state = {
    user_id: 7,
    messages,
    feeds: { here: { ids: [1, 2, 3] }, others: { ids: [3] } },
  } as unknown as ChatState
  t.equal(lastOwnMessage(state, 'here'), 2)
  t.equal(lastOwnMessage(state, 'others'), undefined)
  t.equal(lastOwnMessage(state, 'unknown'), undefined)
})
