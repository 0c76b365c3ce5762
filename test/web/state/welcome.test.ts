import t from 'tap'
import type { ChatState } from '../../../server/web/state/chat-state.js'
import { firstView, greetingChannel, welcomeFor, welcomeSteps } from '../../../server/web/state/welcome.js'
import type { Channel } from '../../../shared/events/client-state.js'
import { landingStep, welcomeStep } from '../../../shared/resources/onboarding-step.js'
import { someState } from './state.js'

const day = 86_400_000
const now = Date.parse('2026-05-20T12:00Z')
const none = { hasInvited: false, hasWritten: false }

/** Person 1 came a day ago, before the two others, with this role. */
function state(role: number, change: (state: ChatState) => void = () => {}): ChatState {
  const made = someState()
  const me = made.realm_users[1]
  if (!me) throw new Error('no such person')
  Object.assign(me, { role, date_joined: new Date(now - day).toISOString() })
  made.onboarding_steps = [welcomeStep, landingStep].map(name => ({ type: 'one_time_notice', name }))
  made.realm_default_streams = [5, 6]
  change(made)
  return made
}
const later = (state: ChatState) => {
  state.user_id = 3
  Object.assign(state.realm_users[3] ?? {}, { role: 100, date_joined: new Date(now - day).toISOString() })
}
const done = (state: ChatState, facts = none) => {
  const arrival = welcomeFor(state, now)
  return arrival && welcomeSteps(state, arrival, facts).map(({ step, isDone }) => `${step}${isDone ? ' done' : ''}`)
}

t.test('the owner who came first is a founder; all others are newcomers, for two weeks', async t => {
  t.equal(welcomeFor(state(100), now), 'founder')
  t.equal(welcomeFor(state(200), now), 'newcomer')
  t.equal(welcomeFor(state(100, later), now), 'newcomer', 'an owner of an organization that is there')
  t.equal(welcomeFor(state(100), now + 14 * day), undefined)
  const closed = state(400, it => {
    it.onboarding_steps = []
  })
  t.equal(welcomeFor(closed, now), undefined)
})

t.test('the steps of the founder, by what is there', async t => {
  t.same(done(state(100, it => void Object.assign(it, { realm_users: { 1: it.realm_users[1] as never } }))), [
    'channel',
    'invite',
    'profile',
  ])
  t.same(done(state(100)), ['channel', 'invite done', 'profile'], 'other people are there')
  const more = state(100, it => {
    it.realm_users = { 1: { ...(it.realm_users[1] as never as object), profile_data: { 2: { value: 'x' } } } as never }
    it.never_subscribed[9] = { stream_id: 9, is_archived: false } as Channel
  })
  t.same(done(more, { ...none, hasInvited: true }), ['channel done', 'invite done', 'profile done'])
})

t.test('the steps of a newcomer: what there is to do', async t => {
  t.same(done(state(400)), ['profile', 'hello'], 'there is no other channel')
  const other = (it: ChatState) => {
    it.never_subscribed[9] = { stream_id: 9, is_archived: false } as Channel
  }
  t.same(done(state(400, other), { ...none, hasWritten: true }), ['profile', 'browse', 'hello done'])
  t.same(done(state(400, it => void Object.assign(it, { realm_default_streams: [5] }))), [
    'profile',
    'browse done',
    'hello',
  ])
  t.same(done(state(600, it => void Object.assign(it, { subscriptions: {} }))), ['profile'], 'without a channel')
})

t.test('the first view is where new people are announced, or another channel of the user; once', async t => {
  t.same(firstView(state(100), now), { kind: 'inbox' })
  t.same(firstView(state(400), now), { kind: 'channel', channelId: 5 })
  const announced = state(400, it => void Object.assign(it, { realm_signup_announcements_stream_id: 6 }))
  t.same(firstView(announced, now), { kind: 'channel', channelId: 6 })
  t.equal(
    greetingChannel(state(400, it => void Object.assign(it, { realm_signup_announcements_stream_id: 9 }))),
    5,
    'not subscribed',
  )
  t.equal(
    greetingChannel(state(400, it => void Object.assign(it, { realm_default_streams: [9] }))),
    5,
    'channels of an invitation',
  )
  t.equal(
    firstView(
      state(600, it => void Object.assign(it, { subscriptions: {} })),
      now,
    ),
    undefined,
  )
  t.equal(
    firstView(
      state(400, it => void Object.assign(it, { onboarding_steps: [] })),
      now,
    ),
    undefined,
  )
  t.equal(firstView(state(400), now + 14 * day), undefined, 'an account from before')
})
