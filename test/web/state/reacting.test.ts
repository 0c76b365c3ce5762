import t from 'tap'
import type { Message } from '../../../server/web/state/chat-state.js'
import { carryOver, keptState } from '../../../server/web/state/kept.js'
import { forgetReaction, reactionsOf, reactLater } from '../../../server/web/state/reacting.js'
import { message, play, sent, someState } from './state.js'

const emoji = (emoji_name: string, emoji_code: string) => ({ emoji_name, emoji_code, reaction_type: 'unicode_emoji' })
const [heart, tada] = [emoji('heart', '2764'), emoji('tada', '1f389')]

/** Another person and the user have reacted with a heart. */
function scene() {
  const state = play(someState(), sent(message({ id: 101 })))
  const one = state.messages[101] as Message
  one.reactions = [2, state.user_id].map(user_id => ({ ...heart, user_id }))
  const shown = () => reactionsOf(state, one).map(({ user_id, emoji_name }) => `${user_id} ${emoji_name}`)
  return { state, one, shown }
}

t.test('reactions that wait are shown as made, and one that is taken away as gone', async t => {
  const { state, one, shown } = scene()
  t.equal(reactionsOf(state, one), one.reactions, 'nothing waits')
  t.ok(reactLater(state, one, tada))
  t.ok(reactLater(state, one, heart))
  t.same(shown(), ['2 heart', '1 tada'])
  t.same(
    state.reacting.map(({ emoji_name, isAdded }) => [emoji_name, isAdded]),
    [
      ['tada', true],
      ['heart', false],
    ],
  )
})

t.test('the second time it is as before, and nothing waits', async t => {
  const { state, one, shown } = scene()
  for (const own of [tada, heart, heart, tada]) reactLater(state, one, own)
  t.same(state.reacting, [])
  t.same(shown(), ['2 heart', '1 heart'])
})

t.test('the same emoji at another message is another reaction', async t => {
  const { state, one } = scene()
  play(state, sent(message({ id: 102 })))
  reactLater(state, one, tada)
  reactLater(state, state.messages[102] as Message, tada)
  const [first] = state.reacting
  if (first) forgetReaction(state, first)
  t.same(
    state.reacting.map(({ messageId }) => messageId),
    [102],
  )
})

t.test('no more than two hundred wait; one of these can still be taken back', async t => {
  const { state, one } = scene()
  for (let n = 0; n < 200; n++) t.ok(reactLater(state, one, emoji(`e${n}`, String(n))))
  t.notOk(reactLater(state, one, tada))
  t.equal(state.reacting.length, 200)
  t.ok(reactLater(state, one, emoji('e7', '7')))
  t.ok(reactLater(state, one, tada))
})

t.test('they are kept for the next start, and for a new queue', async t => {
  const { state, one } = scene()
  reactLater(state, one, tada)
  t.equal(keptState(state).reacting.length, 1)
  const fresh = someState()
  carryOver(state, fresh)
  t.match(fresh.reacting, [{ messageId: 101, emoji_code: '1f389', isAdded: true }])
})
