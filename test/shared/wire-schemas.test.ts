import t from 'tap'
import { checkEvent, checkObject, checkRegister } from '../support/wire-schemas.js'

const heartbeat = { id: 16, type: 'heartbeat' }
const reaction = (reaction_type: string) => ({ emoji_name: 'x', emoji_code: 'x', reaction_type, user_id: 5 })

t.test('an event that follows the reference schemas has no problem', async t => {
  t.same(checkEvent(heartbeat), [])
  t.same(checkEvent({ id: 1, type: 'saved_snippets', op: 'remove', saved_snippet_id: 4 }), [])
})

t.test('missing, surplus and mistyped fields are reported with their path', async t => {
  t.match(checkEvent({ type: 'heartbeat' }), [/id/])
  t.match(checkEvent({ ...heartbeat, more: 1 }), [/additional.*more/])
  t.match(checkEvent({ id: 1, type: 'saved_snippets', op: 'remove', saved_snippet_id: '4' }), [
    /saved_snippet_id must be/,
  ])
})

t.test('an event type that the facts do not have is a problem', async t => {
  t.match(checkEvent({ id: 1, type: 'surprise' }), [/no event surprise/])
  t.match(checkEvent({ id: 1, type: 'reaction', op: 'change' }), [/no event reaction\/change/])
})

t.test('the value of a changed property is checked against the schema of that property', async t => {
  const change = { id: 1, type: 'user_settings', op: 'update', property: 'presence_enabled' }
  t.same(checkEvent({ ...change, value: false }), [])
  t.match(checkEvent({ ...change, value: 'no' }), [/value of presence_enabled/])
  const realm = { id: 1, type: 'realm', op: 'update', property: 'service_update_announcements_stream_id' }
  t.same(checkEvent({ ...realm, value: -1 }), [])
  t.match(checkEvent({ ...realm, value: 'no' }), [/value of service_update_announcements_stream_id/])
})

t.test('the brand word stands where the facts say service, and only there', async t => {
  t.same(checkObject('reaction', reaction('service_extra_emoji')), [])
  t.same(checkObject('reaction', reaction('parley_extra_emoji'), 'parley'), [])
  t.not(checkObject('reaction', reaction('service_extra_emoji'), 'parley').length, 0)
  t.same(checkObject('bot_service', { base_url: 'http://x', interface: 1, token: 't' }, 'parley'), [])
})

t.test('an object that the facts do not have is a mistake of the test', async t => {
  t.throws(() => checkObject('nothing', {}), /no object nothing/)
})

const always = {
  result: 'success',
  msg: '',
  queue_id: 'q',
  last_event_id: -1,
  idle_queue_timeout_secs: 600,
  service_version: '12.0',
  service_feature_level: 500,
  service_merge_base: '12.0',
}

t.test('a register answer holds the fields of what was fetched, all of them and no other', async t => {
  t.same(checkRegister(always, []), [])
  t.same(checkRegister({ ...always, alert_words: [] }, ['alert_words', 'unknown']), [])
  t.match(checkRegister(always, ['alert_words']), [/alert_words/])
  t.match(checkRegister({ ...always, alert_words: [] }, []), [/alert_words/])
  t.ok(checkRegister(always, null).length > 100, 'null means everything')
})

t.test('a register answer carries the brand word', async t => {
  t.not(checkRegister(always, [], 'parley').length, 0)
})

t.test('what depends on a second fetch type, or is for people only, may be missing', async t => {
  t.same(checkRegister(always, ['update_message_flags']), [], 'unread_msgs needs message, too')
  t.match(checkRegister({ ...always, max_message_id: -1 }, ['message', 'update_message_flags']), [/unread_msgs/])
  t.same(checkRegister({ ...always, queue_id: null }, ['stream']), [], 'streams are not for spectators')
  t.match(checkRegister(always, ['stream']), [/streams/])
})
