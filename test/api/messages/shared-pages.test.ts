// Pages that are joined from the bytes that readers share are those that the tables give, at every worker.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { knownToReader } from '../../../server/lookups/known-to-reader.js'
import { wordStems } from '../../../server/lookups/word-stems.js'
import { messageAnswers, shownEdits } from '../../../server/presenters/message-answers.js'
import { answerMessages } from '../../../server/store/messages/message-rows.js'
import { highlights } from '../../../server/store/pages/message-highlights.js'
import { parseSearch } from '../../../server/text/search/query.js'
import type { MessageForm } from '../../../shared/resources/message.js'
import { Api } from '../../support/http.js'
import { startServer, type TestServer } from '../../support/server.js'
import { channelOf, type Loose, people, setRealm } from './scene.js'

const first = await startServer(t)
const workers = [first, await startServer(t, {}, first.organization)] as const
const { sql } = first
const owner = await first.person({ role: 100 })
const [reader, other] = await people(first, 2)
const everyone = [owner, reader, other]
const channels = [await channelOf(everyone), await channelOf(everyone)]
const topics = ['plans', 'Plans', '', 'issue #12']

type Actor = (typeof everyone)[number]
const at = (worker: number, { email, api_key }: Actor): Api =>
  new Api((workers[worker] as TestServer).url, { email, api_key })

/** A change through one worker: who makes it, of which of the newest messages, and which variant. */
interface Step {
  readonly kind: keyof typeof changes
  readonly worker: number
  readonly actor: number
  readonly back: number
  readonly pick: number
}

type Change = (api: Api, message: number, pick: number) => Promise<{ status: number }>
const send = (api: Api, where: Loose, content: string) => api.post('/messages', { content, ...where })
const place = (pick: number) => ({ type: 'channel', to: channels[pick % 2]?.id, topic: topics[pick % 4] })
const texts = ['one **bold** word', 'Grüße, 你好 🎉', '@**all** look at #12', '/me waves', '/poll Lunch?\n- soup']
const thumbsUp = { emoji_name: 'thumbs_up' }

const changes = {
  send: (api, _, pick) => send(api, place(pick), texts[pick % texts.length] as string),
  mention: (api, _, pick) => send(api, place(pick), `@**|${reader.id}** and @**|${other.id}**`),
  sendDirectly: (api, _, pick) => send(api, { type: 'direct', to: [reader.id, other.id] }, texts[pick % 3] as string),
  edit: (api, message, pick) => api.call('PATCH', `/messages/${message}`, { content: `edited ${pick} @**all**` }),
  move: (api, message, pick) =>
    api.call('PATCH', `/messages/${message}`, { topic: topics[pick % 4], propagate_mode: 'change_one' }),
  moveToChannel: (api, message, pick) =>
    api.call('PATCH', `/messages/${message}`, { stream_id: channels[pick % 2]?.id, propagate_mode: 'change_later' }),
  delete: (api, message) => api.call('DELETE', `/messages/${message}`),
  react: (api, message) => api.post(`/messages/${message}/reactions`, thumbsUp),
  unreact: (api, message) => api.call('DELETE', `/messages/${message}/reactions`, thumbsUp),
  vote: (api, message, pick) =>
    api.post('/submessage', {
      message_id: message,
      msg_type: 'widget',
      content: JSON.stringify({ type: 'vote', key: 'canned,0', vote: pick % 2 ? 1 : -1 }),
    }),
  flag: (api, message, pick) =>
    api.post('/messages/flags', {
      messages: [message],
      op: pick % 2 ? 'add' : 'remove',
      flag: ['read', 'starred', 'collapsed'][pick % 3],
    }),
  unsubscribe: (api, _, pick) =>
    api.call('DELETE', '/users/me/subscriptions', { subscriptions: [channels[pick % 2]?.name] }),
  subscribe: (api, _, pick) =>
    api.post('/users/me/subscriptions', { subscriptions: [{ name: channels[pick % 2]?.name }] }),
  rename: (api, _, pick) => api.call('PATCH', `/users/${other.id}`, { full_name: `Other ${pick}` }),
  changeRole: (api, _, pick) => api.call('PATCH', `/users/${reader.id}`, { role: [400, 600, 300][pick % 3] }),
  hideEmail: (api, _, pick) => api.call('PATCH', '/settings', { email_address_visibility: [1, 4][pick % 2] }),
  showEdits: async (_api, _, pick) => {
    await setRealm(first, { message_edit_history_visibility_policy: ['all', 'moves', 'none'][pick % 3] })
    return { status: 200 }
  },
  link: (api, _, pick) =>
    api.post('/realm/filters', { pattern: `#(?P<id>[0-9]+)x{${pick}}`, url_template: `https://${pick}.example/{id}` }),
} satisfies Record<string, Change>

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom(...(Object.keys(changes) as (keyof typeof changes)[])),
  worker: fc.nat(1),
  // Often the owner, who may change most things.
  actor: fc.constantFrom(0, 0, 1, 2),
  back: fc.nat(4),
  pick: fc.nat(11),
})

/** A page to look at, before and after each change. */
interface Look {
  readonly reader: number
  readonly narrow: number
  readonly markdown: boolean
  readonly gravatar: boolean
  readonly emptyTopic: boolean
}
const look: fc.Arbitrary<Look> = fc.record({
  reader: fc.nat(2),
  narrow: fc.nat(4),
  markdown: fc.boolean(),
  gravatar: fc.boolean(),
  emptyTopic: fc.boolean(),
})

const word = 'edit'

/** The messages of a narrow from the tables. */
const narrows: readonly { terms: Loose[]; isSearch?: true; ids(): Promise<{ id: number }[]> }[] = [
  ...channels.map(({ id }) => ({
    terms: [{ operator: 'channel', operand: id }],
    ids: () => sql<{ id: number }[]>`select id from messages where channel_id = ${id} order by id`,
  })),
  {
    terms: [
      { operator: 'channel', operand: channels[0]?.id },
      { operator: 'topic', operand: 'plans' },
    ],
    ids: () => sql<{ id: number }[]>`
      select id from messages where channel_id = ${channels[0]?.id ?? 0} and lower(topic) = 'plans' order by id`,
  },
  {
    terms: [{ operator: 'dm', operand: [reader.id, other.id] }],
    ids: () => sql<{ id: number }[]>`
      select m.id from messages m join conversations c on c.id = conversation_id
      where user_ids = ${[reader.id, other.id]} order by m.id`,
  },
  {
    terms: [
      { operator: 'channel', operand: channels[0]?.id },
      { operator: 'search', operand: word },
    ],
    isSearch: true,
    ids: () => sql<{ id: number }[]>`
      select id from messages where channel_id = ${channels[0]?.id ?? 0} and search @@ ${word}::tsquery order by id`,
  },
]

async function compare(worker: number, { reader: who, narrow, markdown, gravatar, emptyTopic }: Look): Promise<void> {
  const chosen = narrows[narrow] as (typeof narrows)[number]
  // Conversations of others cannot be named.
  const viewer = (narrow === 3 && who === 0 ? reader : everyone[who]) as Actor
  const answer = await at(worker, viewer).get('/messages', {
    anchor: 'newest',
    num_before: 100,
    narrow: chosen.terms,
    apply_markdown: markdown,
    client_gravatar: gravatar,
    allow_empty_topic_name: emptyTopic,
  })
  const { ctx } = workers[0]
  await ctx.directory.fresh()
  const user = ctx.directory.users.get(viewer.id) ?? null
  const ids = (await chosen.ids()).map(row => row.id)
  const texts = markdown ? 'rendered_content' : 'content'
  const room = { near: 0, bytes: 4_000_000, edits: shownEdits(ctx), texts } as const
  const rows = await answerMessages(sql, viewer.id, ids, room)
  const form: MessageForm = { apply_markdown: markdown, client_gravatar: gravatar, empty_topic_name: emptyTopic }
  const messages = messageAnswers(ctx, rows, form, await knownToReader(ctx, sql, user, rows))
  const matches = chosen.isSearch ? await highlights(sql, ids, [parseSearch(word, wordStems(ctx))]) : undefined
  const expected = messages.map(message => ({ ...message, ...matches?.get(message.id) }))
  // A guest who has left a channel does not know it any more.
  if (answer.status === 400) assert.equal(answer.body.code, 'BAD_NARROW')
  else assert.deepEqual(answer.body.messages, JSON.parse(JSON.stringify(expected)))
}

async function change({ kind, worker, actor, back, pick }: Step, seen: readonly Look[]): Promise<number> {
  const comparison = () => Promise.all(seen.flatMap(one => [compare(0, one), compare(1, one)]))
  // Both workers keep the page before the change.
  await comparison()
  const newest = await sql<{ id: number }[]>`select id from messages order by id desc limit 5`
  const message = newest[back % Math.max(1, newest.length)]?.id ?? 0
  const { status } = await (changes[kind] as Change)(at(worker, everyone[actor] as Actor), message, pick)
  await comparison()
  return status
}

t.test('after each kind of change, pages at both workers are those that the tables give', async t => {
  const plain = { reader: 2, markdown: true, gravatar: true, emptyTopic: true }
  const seen = [0, 1, 2, 3, 4].map(narrow => ({ ...plain, narrow }))
  const step = (kind: Step['kind'], pick: number, actor = 0): Step => ({ kind, worker: pick % 2, actor, back: 0, pick })
  const steps = [
    step('sendDirectly', 1, 1),
    step('rename', 1),
    step('hideEmail', 1, 2),
    step('hideEmail', 2, 2),
    step('send', 2, 1),
    step('mention', 0, 2),
    step('unsubscribe', 1, 2),
    step('subscribe', 1, 2),
    step('changeRole', 1),
    step('changeRole', 0),
    step('send', 4),
    step('vote', 1),
    // A poll cannot be edited.
    step('send', 0),
    step('react', 0),
    step('unreact', 1),
    step('flag', 1, 2),
    step('edit', 1),
    step('move', 1),
    step('moveToChannel', 1),
    step('showEdits', 2),
    step('showEdits', 1),
    step('showEdits', 0),
    step('send', 7),
    step('link', 1),
    step('delete', 1),
  ]
  for (const one of steps) t.equal(await change(one, seen), 200, `${one.kind} is accepted`)
})

t.test('after any changes at two workers, pages are those that the tables give', async t => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(step, look), { minLength: 15, maxLength: 25 }), async list => {
      for (const [one, seen] of list) await change(one, [seen])
    }),
    { numRuns: Number(process.env.TEST_RUNS ?? 2), endOnFailure: true },
  )
  t.pass()
})

t.test('a worker that starts afterwards gives the same pages', async t => {
  const fresh = await startServer(t, {}, first.organization)
  for (const { terms } of narrows) {
    const page = { anchor: 'newest', num_before: 100, narrow: terms }
    const answers = [first, fresh].map(one => new Api(one.url, other).get('/messages', page))
    const [known, read] = await Promise.all(answers)
    t.same(read?.body, known?.body)
  }
})
