import t from 'tap'
import { z } from 'zod'
import { type Route, route } from '../../server/api/route.js'
import { boolean, integer, text } from '../../server/params/schemas.js'
import { eventFact, fact, factsOf, type RecordedCall } from '../support/coverage.js'
import { coverageReport } from '../support/coverage-report.js'

const topics = route({
  operation: 'get_topics',
  method: 'GET',
  path: '/users/me/{stream_id}/topics',
  doc: 'Topics.',
  allow: 'anyone',
  params: z.object({
    stream_id: integer().describe('The channel.'),
    allow_empty_topic_name: boolean().optional().describe('The empty one too.'),
    name: text().optional().describe('One.'),
  }),
  returns: z.object({}),
  errors: [],
  handle: async () => ({}),
})
const facts = (call: Partial<RecordedCall>, of: Route = topics) =>
  factsOf(of, { sent: [], status: 200, body: {}, ...call }).map(one => one.replace('get_topics ', ''))

t.test('a success shows what was sent, and the path', async t => {
  t.same(facts({}), [' accepted', 'stream_id accepted'])
  t.same(
    facts({
      sent: [
        ['allow_empty_topic_name', 'true'],
        ['colour', 'red'],
      ],
    }),
    [' accepted', 'stream_id accepted', 'allow_empty_topic_name accepted'],
  )
})

t.test('a refusal shows the parameter that was wrong', async t => {
  const sent = [
    ['allow_empty_topic_name', 'true'],
    ['name', 'x'],
  ] as const
  const refused = (call: Partial<RecordedCall>) => facts({ status: 400, ...call }).slice(1)
  t.same(refused({ sent, body: { var_name: 'name' } }), ['name refused'], 'by its name')
  t.same(refused({ body: { var_name: 'name' } }), ['name refused'], 'also when it was not sent')
  t.same(
    refused({
      sent: [
        ['allow_empty_topic_name', 'no'],
        ['name', 'x'],
      ],
    }),
    ['allow_empty_topic_name refused'],
  )
  t.same(refused({ sent, body: { msg: 'Invalid name' } }), ['name refused'], 'by the words')
  t.same(refused({ sent, body: { msg: 'Not now' } }), [], 'nobody can tell which')
  t.same(refused({ sent: [['name', 'x']], body: { msg: 'Not now' } }), ['name refused'], 'the only one')
  t.same(refused({ body: { msg: 'Invalid channel' } }), ['stream_id refused'], 'what the path says')
  t.same(refused({ status: 401, sent }), [], 'that nobody is logged in shows nothing of parameters')
})

const report = (...recordings: { file: string; facts: string[] }[]) =>
  coverageReport({ channels: [topics] }, [], recordings)
const all = ['', 'stream_id', 'allow_empty_topic_name', 'name'].map(name => fact('get_topics', name, 'accepted'))

t.test('what no test shows is a hole', async t => {
  t.same(report({ file: 'test/api/x.test.ts', facts: all }).holes, [])
  t.same(report({ file: 'test/api/x.test.ts', facts: all.slice(0, 3) }).holes, [
    'get_topics: no test in which `name` is accepted',
  ])
  t.equal(report().holes.length, 4)
  t.match(report().markdown, /`name` \| query \| \*\*none\*\*/)
})

t.test('a parameter that is always refused has to be refused, not accepted', async t => {
  const shape = { ...topics.params.shape, name: text().optional().describe('Refused: there is no such name.') }
  const holes = (facts: string[]) =>
    coverageReport({ channels: [{ ...topics, params: z.object(shape) }] }, [], [{ file: 'test/api/x.test.ts', facts }])
      .holes
  t.same(holes(all.slice(0, 3)), ['get_topics: no test in which `name` is refused'])
  t.same(holes([...all.slice(0, 3), fact('get_topics', 'name', 'refused')]), [])
})

t.test('an older name of an operation has to succeed, and takes the parameters of the operation', async t => {
  const older = { ...topics, operation: 'post_subscription_setting', path: '/users/me/{stream_id}/subjects' }
  const recording = { file: 'test/api/x.test.ts', facts: all }
  const { holes, markdown } = coverageReport({ channels: [topics, older] }, [], [recording])
  t.same(holes, ['post_subscription_setting: no test in which it succeeds'])
  t.match(markdown, /those of `get_topics`, by the same schema/)
})

t.test("the operation's own test is named, whatever else shows the same, in whatever order", async t => {
  const recordings = ['test/a.test.ts', 'test/api/channels/get-topics.test.ts', 'test/api/a.test.ts'].map(file => ({
    file,
    facts: all,
  }))
  const { markdown } = report(...recordings)
  t.match(markdown, /Succeeds: test\/api\/channels\/get-topics\.test\.ts\./)
  t.equal(report(...[...recordings].reverse()).markdown, markdown)
  t.match(report(...recordings.filter((_, i) => i !== 1)).markdown, /Succeeds: test\/api\/a\.test\.ts\./)
})

t.test('an event has to reach a client, and to update a state if it changes one', async t => {
  const events = [{ name: 'a/add', apply: () => {} }, { name: 'typing/start' }, { name: '_inner' }]
  const shown = (...facts: string[]) => coverageReport({}, events, [{ file: 'test/api/x.test.ts', facts }]).holes
  t.same(shown(), [
    'event a/add: no test in which a client gets it',
    'event a/add: no test in which it brings a state up to date',
    'event typing/start: no test in which a client gets it',
  ])
  const received = [eventFact('a/add', 'received'), eventFact('typing/start', 'received')]
  t.same(shown(...received), ['event a/add: no test in which it brings a state up to date'])
  t.same(shown(...received, eventFact('a/add', 'replayed')), [])
})
