import t from 'tap'
import type { ChatState, Message } from '../../../server/web/state/chat-state.js'
import { alerts } from '../../../server/web/state/notify.js'
import { message, someState } from './state.js'

const on = {
  enable_desktop_notifications: true,
  enable_stream_desktop_notifications: true,
  enable_followed_topic_desktop_notifications: true,
  enable_followed_topic_wildcard_mentions_notify: true,
  wildcard_mentions_notify: true,
}

interface Case {
  readonly settings?: Partial<typeof on>
  readonly flags?: string[]
  readonly given?: Partial<Message>
  readonly channel?: Record<string, unknown>
  readonly policy?: 1 | 2 | 3
}

const off = Object.fromEntries(Object.keys(on).map(name => [name, false])) as typeof on
const direct = { stream_id: undefined, display_recipient: [{ id: 1 }, { id: 2 }] } as unknown as Partial<Message>

function answer({ settings = {}, flags = [], given = {}, channel = {}, policy }: Case): boolean {
  const state: ChatState = someState()
  Object.assign(state.user_settings, off, settings)
  Object.assign(
    state.subscriptions[5] as object,
    { desktop_notifications: null, wildcard_mentions_notify: null },
    channel,
  )
  if (policy)
    state.user_topics[5] = { talk: { stream_id: 5, topic_name: 'talk', last_updated: 0, visibility_policy: policy } }
  return alerts(state, { ...message({ id: 101, ...given }), flags } as Message, 'desktop')
}

const direct1 = { enable_desktop_notifications: true }
const channels = { enable_stream_desktop_notifications: true }
const followed = { enable_followed_topic_desktop_notifications: true }

for (const [title, given] of Object.entries({
  'a direct message': { settings: direct1, given: direct },
  'a mention, also in a muted topic': { settings: direct1, flags: ['mentioned'], policy: 1 },
  'an alert word': { settings: direct1, flags: ['has_alert_word'] },
  'a mention of all, if it counts': {
    settings: { ...direct1, wildcard_mentions_notify: true },
    flags: ['stream_wildcard_mentioned'],
  },
  'a mention of all in a channel for which it counts': {
    settings: direct1,
    flags: ['topic_wildcard_mentioned'],
    channel: { wildcard_mentions_notify: true },
  },
  'a message in any channel': { settings: channels },
  'a message in one channel': { channel: { desktop_notifications: true } },
  'a followed topic, also of a muted channel': { settings: followed, policy: 3, channel: { is_muted: true } },
  'an unmuted topic of a muted channel': { settings: channels, policy: 2, channel: { is_muted: true } },
} satisfies Record<string, Case>))
  t.test(`notifies of ${title}`, async t => t.ok(answer(given)))

for (const [title, given] of Object.entries({
  'a direct message, if they are off': { settings: { ...on, enable_desktop_notifications: false }, given: direct },
  'the own message': { settings: on, given: { ...direct, sender_id: 1 } },
  'a message that is read already': { settings: on, flags: ['read', 'mentioned'], given: direct },
  'a message in a channel, if only direct messages are wanted': { settings: direct1 },
  'a message in a quiet channel': { settings: channels, channel: { desktop_notifications: false } },
  'a message in a muted channel': { settings: channels, channel: { is_muted: true } },
  'a message in a muted topic': { settings: { ...channels, ...followed }, policy: 1 },
  'a mention of all in a muted topic': { settings: on, flags: ['stream_wildcard_mentioned'], policy: 1 },
  'a mention of all, if it does not count': { settings: direct1, flags: ['stream_wildcard_mentioned'] },
  'an alert word in a muted channel': {
    settings: direct1,
    flags: ['has_alert_word'],
    channel: { is_muted: true },
  },
  'a channel without a subscription': { settings: on, given: { stream_id: 9 } },
  'a topic that is not followed': { settings: followed },
} satisfies Record<string, Case>))
  t.test(`does not notify of ${title}`, async t => t.notOk(answer(given)))

t.test('a sound follows settings of its own', async t => {
  const sounds = (own: object, channel: object, given: Partial<Message> = {}, flags: string[] = []) => {
    const state = someState()
    Object.assign(state.user_settings, off, own)
    Object.assign(state.subscriptions[5] as object, { audible_notifications: null, ...channel })
    state.user_topics[5] = {
      followed: { stream_id: 5, topic_name: 'followed', last_updated: 0, visibility_policy: 3 },
    }
    return alerts(state, { ...message({ id: 101, ...given }), flags } as Message, 'sound') === true
  }
  t.ok(sounds({ enable_sounds: true }, {}, direct))
  t.ok(sounds({ enable_sounds: true }, {}, {}, ['mentioned']))
  t.ok(sounds({ enable_stream_audible_notifications: true }, {}))
  t.ok(sounds({}, { audible_notifications: true }))
  t.ok(sounds({ enable_followed_topic_audible_notifications: true }, {}, { subject: 'followed' }))
  t.notOk(sounds({ enable_followed_topic_audible_notifications: true }, {}))
  t.notOk(sounds(on, {}, direct), 'desktop notifications are not sounds')
  t.notOk(sounds({ enable_stream_audible_notifications: true }, { audible_notifications: false }))
  t.notOk(sounds({ enable_sounds: true }, {}), 'a message in a channel is no direct one')
  t.notOk(sounds({ enable_sounds: true }, {}, { ...direct, sender_id: 1 }), 'the own message')
})

t.test('nothing notifies in quiet times', async t => {
  const state = someState()
  Object.assign(state.user_settings, { enable_sounds: true, enable_desktop_notifications: true, timezone: 'UTC' })
  const one = { ...message({ id: 101, ...direct }), flags: [] as string[] } as Message
  const at = (now: number) => (['desktop', 'sound'] as const).map(kind => alerts(state, one, kind, now))
  const noon = Date.parse('2026-11-28T12:00:00Z')
  t.same(at(noon), [true, true])
  state.do_not_disturb = { until: noon / 1000 + 60, quiet_hours: null }
  t.same(
    [at(noon), at(noon + 60_000)],
    [
      [false, false],
      [true, true],
    ],
  )
  state.do_not_disturb = { until: null, quiet_hours: { from: 720, to: 721 } }
  t.same(
    [at(noon), at(noon + 60_000)],
    [
      [false, false],
      [true, true],
    ],
  )
})
