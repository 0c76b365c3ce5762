// The replay law for random changes of topics: the events bring a client's state to that of a new register answer.
import fc from 'fast-check'
import t from 'tap'
import { Listener } from '../../support/in-step.js'
import type { Person } from '../../support/people.js'
import { startServer } from '../../support/server.js'
import { channelOf, people } from '../messages/scene.js'

const server = await startServer(t)
const { ctx } = server

// One spelling per topic: a client cannot know which spelling the topic gets after some of its messages are read.
const topics = ['a', 'b', '✔ a', ''] as const
const quietly = { send_notification_to_new_thread: false }

const topic = fc.constantFrom(...topics)
const anyCase = fc.constantFrom(...topics, 'A')
const which = fc.nat({ max: 30 })

/** One action; numbers select the channel, the user or an earlier message. */
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ what: fc.constant('send' as const), channel: which, topic, mention: fc.boolean() }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      what: fc.constant('policy' as const),
      channel: which,
      topic: anyCase,
      policy: fc.nat({ max: 3 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('mute' as const), channel: which, isMuted: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      what: fc.constant('move' as const),
      message: which,
      topic,
      channel: fc.option(which),
      mode: fc.constantFrom('change_one', 'change_later', 'change_all'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('delete' as const), message: which }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('delete topic' as const), channel: which, topic: anyCase }) },
  {
    weight: 2,
    arbitrary: fc.record({ what: fc.constant('read' as const), message: which, op: fc.constantFrom('add', 'remove') }),
  },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('react' as const), message: which }) },
)

type Step = typeof step extends fc.Arbitrary<infer One> ? One : never

const pick = <One>(list: readonly One[], index: number): One | undefined => list[index % Math.max(1, list.length)]

t.test('state and events make the state, whatever happens to topics', async t => {
  const admin = await server.person({ role: 200 })
  const [author] = await people(server, 1)
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 12, maxLength: 25 }), fc.nat({ max: 4 }), async (steps, eager) => {
      const settings = {
        automatically_follow_topics_policy: 1 + (eager % 4),
        automatically_unmute_topics_in_muted_streams_policy: 1 + (eager % 3),
      }
      const reader = await server.person({ settings })
      const channels = [
        await channelOf([admin, author, reader]),
        await channelOf([admin, author, reader], { invite_only: true, history_public_to_subscribers: false }),
        await channelOf([admin, author], { invite_only: true }),
      ]
      const sent: number[] = []
      const ears = [await Listener.start(ctx, reader), await Listener.start(ctx, admin)]
      for (const [i, one] of steps.entries()) {
        const { status, body } = await perform(one, {
          who: [author, reader][i % 2] as Person,
          reader,
          admin,
          channels,
          sent,
        })
        if (status >= 500) throw new Error(`${JSON.stringify(one)}: ${JSON.stringify(body)}`)
        if (one.what === 'send' && status === 200) sent.push(body.id)
        if (i % 6 === 5) for (const ear of ears) await ear.inStep(t)
      }
      for (const ear of ears) await ear.inStep(t)
      return t.passing()
    }),
    { numRuns: 6, endOnFailure: true },
  )
})

function perform(
  one: Step,
  {
    who,
    reader,
    admin,
    channels,
    sent,
  }: {
    readonly who: Person
    readonly reader: Person
    readonly admin: Person
    readonly channels: readonly { id: number }[]
    readonly sent: readonly number[]
  },
) {
  const channel = (index: number) => pick(channels, index)?.id
  switch (one.what) {
    case 'send': {
      const content = one.mention ? `@**|${reader.id}**` : 'hello'
      return who.post('/messages', { type: 'channel', to: channel(one.channel), topic: one.topic, content })
    }
    case 'policy':
      return reader.post('/user_topics', {
        stream_id: channel(one.channel),
        topic: one.topic,
        visibility_policy: one.policy,
      })
    case 'mute':
      return reader.post('/users/me/subscriptions/properties', {
        subscription_data: [{ stream_id: channel(one.channel % 2), property: 'is_muted', value: one.isMuted }],
      })
    case 'move':
      return admin.patch(`/messages/${pick(sent, one.message)}`, {
        topic: one.topic,
        propagate_mode: one.mode,
        ...(one.channel !== null && { stream_id: channel(one.channel) }),
        ...quietly,
      })
    case 'delete':
      return admin.delete(`/messages/${pick(sent, one.message)}`)
    case 'delete topic':
      return admin.post(`/streams/${channel(one.channel)}/delete_topic`, { topic_name: one.topic })
    case 'read':
      return reader.post('/messages/flags', { messages: [pick(sent, one.message) ?? 0], op: one.op, flag: 'read' })
    case 'react':
      return reader.post(`/messages/${pick(sent, one.message)}/reactions`, { emoji_name: 'eyes' })
  }
}
