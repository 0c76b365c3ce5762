import t from 'tap'
import { beginErasure } from '../../../server/actions/users/erasure/begin-erasure.js'
import { eraseData, erasurePreview } from '../../../server/actions/users/erasure/erase.js'
import { withName } from '../../../server/actions/users/erasure/rename-mentions.js'
import { until } from '../../http/until.js'
import { removeUnnamedBytes, upload } from '../../support/files.js'
import { Listener } from '../../support/in-step.js'
import type { Person } from '../../support/people.js'
import { startServer } from '../../support/server.js'

const server = await startServer(t)
const { ctx, sql } = server
const owner = await server.person({ role: 100 })
const friend = await server.person()
const actor = () => ({ user: ctx.directory.users.get(owner.id) as never, client: 'test' })
const quiet = new AbortController().signal
const jobs = async () => (await sql`select from jobs where kind = 'erase-user'`).length

/** Gives a person something in each place that the API fills. */
async function live(name: string) {
  const person = await server.person()
  await person.ok('PATCH', '/settings', { full_name: name })
  await owner.ok('POST', '/users/me/subscriptions', {
    subscriptions: [{ name: `of ${person.id}` }],
    principals: [owner.id, person.id, friend.id],
  })
  const { stream_id: channel } = await owner.ok('GET', '/get_stream_id', { stream: `of ${person.id}` })
  const say = async (who: Person, content: string): Promise<number> =>
    (await who.ok('POST', '/messages', { type: 'channel', to: channel, topic: 'a', content })).id
  const path = await upload(server.url, person, { name: 'cv.txt', bytes: 'content' })
  const own = await say(person, `mine [cv](${path})`)
  const mention = await say(friend, `@**${name}** and @_**${name}|${person.id}**`)
  await friend.ok('PATCH', `/messages/${mention}`, { content: `@_**${name}** said` })
  const gone = await say(friend, `@**${name}** goes`)
  await person.ok('POST', `/messages/${gone}/reactions`, { emoji_name: 'eyes' })
  await owner.ok('DELETE', `/messages/${gone}`)
  const ownGone = await say(person, 'deleted')
  await owner.ok('DELETE', `/messages/${ownGone}`)
  await person.ok('POST', `/messages/${mention}/reactions`, { emoji_name: 'eyes' })
  await person.ok('POST', '/messages/flags', { messages: [mention], op: 'add', flag: 'starred' })
  await person.ok('POST', '/drafts', {
    drafts: [{ type: 'stream', to: [channel], topic: 'a', content: 'x', timestamp: 1 }],
  })
  await person.ok('POST', '/saved_snippets', { title: 'x', content: 'y' })
  await person.ok('POST', '/user_topics', { stream_id: channel, topic: 'a', visibility_policy: 3 })
  await person.ok('POST', '/users/me/presence', { status: 'active', ping_only: false, new_user_input: true })
  await person.ok('POST', '/users/me/status', { status_text: 'away' })
  const scheduled_delivery_timestamp = Math.ceil(Date.now() / 1000) + 3600
  const later = { type: 'channel', to: channel, topic: 'a', content: `@**${name}**`, scheduled_delivery_timestamp }
  await friend.ok('POST', '/scheduled_messages', later)
  await friend.ok('POST', '/reminders', { message_id: own, scheduled_delivery_timestamp })
  return { person, channel, own, mention, path: path.replace('/user_uploads/', '') }
}

/** Looks for a word in all text and JSON of all tables. */
async function tablesWith(word: string): Promise<string[]> {
  const tables = await sql<{ name: string }[]>`
    select relname as name from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r'`
  const found: string[] = []
  for (const { name } of tables) {
    const rows =
      await sql`select from ${sql(name)} one where position(${word.toLowerCase()} in lower(one::text)) > 0 limit 1`
    if (rows.length > 0) found.push(name)
  }
  return found.sort()
}

t.test('an erasure leaves nothing but messages under the name "Deleted user"; a second run finds nothing', async t => {
  const { person, channel, own, mention, path } = await live('Zuzana & Xerxes')
  const kept = { user_id: person.id, messages: 'keep' as const }
  t.match(await erasurePreview(ctx, kept), {
    profile: 1,
    files: 1,
    reactions: 1,
    mentions: 5,
    'drafts.user_id': 1,
    'saved_snippets.user_id': 1,
    'archived messages': 1,
  })
  const ears = await Listener.start(ctx, friend)
  await beginErasure(ctx, actor(), kept)
  await until(async () => (await jobs()) === 0)
  t.same(await erasurePreview(ctx, kept), {})
  // Rows of the outbox go some seconds after their publishing.
  t.same(
    (await tablesWith('Zuzana')).filter(name => name !== 'outbox'),
    [],
  )
  t.same(
    (await tablesWith(person.email)).filter(name => name !== 'outbox'),
    [],
  )

  const name = `Deleted user ${person.id}`
  t.match(await friend.ok('GET', `/messages/${own}`), { message: { sender_full_name: name } })
  t.match(await friend.ok('GET', `/messages/${mention}`, { apply_markdown: false }), {
    message: { content: `@_**${name}|${person.id}** said`, reactions: [] },
  })
  await removeUnnamedBytes(ctx)
  t.equal(await ctx.storage.sizeOf(path), undefined)
  t.equal(await ctx.presence.of(person.id), null)
  t.match(
    (await ears.events(t)).filter(event => event.type === 'reaction'),
    [{ op: 'remove', message_id: mention, user_id: person.id }],
  )
  t.match(
    await sql`select event, actor_id from audit_log where subject -> 'user_id' = to_jsonb(${person.id}::int)
    and event like 'user/%' order by id`,
    [{ event: 'user/erasure' }, { event: 'user/erased', actor_id: null }],
  )
  t.equal((await owner.post(`/users/${person.id}/reactivate`)).status, 400)

  await beginErasure(ctx, actor(), kept)
  await until(async () => (await jobs()) === 0)
  t.same(await erasurePreview(ctx, kept), {})
  const left = await friend.ok('GET', '/messages', {
    anchor: 'newest',
    num_before: 9,
    num_after: 0,
    narrow: [{ operator: 'channel', operand: channel }],
  })
  t.ok(
    left.messages.some((one: { id: number }) => one.id === own),
    'the message stays',
  )
})

t.test('jobs with something of the person go, waiting and dead ones; those of others stay', async t => {
  const name = 'Jan (J.) Novák'
  const person = await server.person()
  await person.ok('PATCH', '/settings', { full_name: name })
  // Each ends with the value of the person.
  const other = { name: `Old ${name}`, email: `old-${person.email}` }
  const add = async (kind: string, payload: object, state = 'dead') => {
    const [row] = await sql`
      insert into jobs (kind, payload, state, due) values (${kind}, ${JSON.stringify(payload)}::text::json, ${state}, now() + interval '1 day')
      returning id`
    return row?.id as number
  }
  const mail = (content: object, to = 'a@example.com') => ({ to, language: 'en', content })
  const missed = (sender: string, html: string) =>
    mail({ kind: 'missed_messages', messages: [{ id: 1, sender, time: 1, html }] })
  const mention = (name: string, id = person.id) => `<span class="user-mention" data-user-id="${id}">@${name}</span>`
  const about = (name: string, id = person.id) => ({ to: { people: [friend.id] }, content: `@_**${name}|${id}** left` })
  const incoming = (user_id: number, sender_id: number) => ({
    user_id,
    sender_id,
    to: { people: [] },
    content: 'x',
    subject: '',
  })
  const gone = [
    await add('mail', mail({ kind: 'account_exists', account: 'x' }, person.email.toUpperCase()), 'due'),
    await add('mail', mail({ kind: 'address_changed', account: 'x', address: person.email })),
    await add('mail', missed(name, ''), 'due'),
    await add('mail', missed('A', mention(name))),
    await add('mail', mail({ kind: 'digest', topics: [{ senders: ['A', name] }] })),
    await add('mail', mail({ kind: 'invitation', inviter: name, key: 'x', expires: null })),
    await add('incoming-mail', incoming(person.id, person.id)),
    await add('incoming-mail', incoming(friend.id, person.id)),
    await add('missed-messages', { user: person.id }, 'due'),
    await add('notice', about(name)),
  ]
  const kept = [
    await add('mail', mail({ kind: 'account_exists', account: 'x' }, other.email), 'due'),
    await add('mail', missed(other.name, mention(`Deleted user ${person.id}`))),
    await add('mail', missed('A', mention(name, person.id * 10))),
    await add('mail', mail({ kind: 'account_exists', account: name })),
    await add('incoming-mail', incoming(friend.id, friend.id)),
    await add('missed-messages', { user: person.id * 10 }),
    await add('notice', about(`Deleted user ${person.id}`)),
    await add('notice', about(name, person.id * 10)),
  ]
  const erasure = { user_id: person.id, messages: 'keep' as const }
  t.match(await erasurePreview(ctx, erasure), { jobs: 5 }, 'those that ids show')
  await beginErasure(ctx, actor(), erasure)
  await until(async () => (await jobs()) === 0)
  t.same(await erasurePreview(ctx, erasure), {})
  const left = await sql`select id from jobs where id = any(${[...gone, ...kept]}) order by id`
  t.same(
    left.map(row => row.id),
    kept,
  )
  await sql`delete from jobs where id = any(${kept})`
})

t.test('values of the audit log about others stay if their address only ends with that of the person', async t => {
  const person = await server.person()
  const other = `old-${person.email}`
  const audited = async (value: string) => {
    const [row] = await sql`
      insert into audit_log (operation, event, subject, before) values ('x', 'x', ${sql.json({ user_id: friend.id })}, ${sql.json({ value })})
      returning id`
    return row?.id as number
  }
  const [own, others] = [await audited(person.email.toUpperCase()), await audited(other)]
  await beginErasure(ctx, actor(), { user_id: person.id, messages: 'keep' })
  t.match(await sql`select before from audit_log where id in (${own}, ${others}) order by id`, [
    { before: null },
    { before: { value: other } },
  ])
})

t.test('by choice the messages go, too, for good', async t => {
  const { person, own } = await live('Yolanda Quark')
  const erasure = { user_id: person.id, messages: 'delete' as const }
  t.match(await erasurePreview(ctx, erasure), { messages: 1 })
  await beginErasure(ctx, actor(), erasure)
  await until(async () => (await jobs()) === 0)
  t.same(await erasurePreview(ctx, erasure), {})
  t.same(await sql`select from archived_messages where sender_id = ${person.id}`, [])
  t.equal((await friend.get(`/messages/${own}`)).status, 400)
})

t.test(
  'an interrupted erasure goes on where it was; messages that mention the person meanwhile have the new name',
  async t => {
    const { person, channel } = await live('Walburga Vex')
    const kept = { user_id: person.id, messages: 'keep' as const }
    await t.rejects(eraseData(ctx, kept, quiet), /has a profile/)
    const stop = new AbortController()
    stop.abort()
    await beginErasure(ctx, actor(), kept)
    await t.rejects(eraseData(ctx, kept, stop.signal))
    const name = `Deleted user ${person.id}`
    const { id } = await friend.ok('POST', '/messages', {
      type: 'channel',
      to: channel,
      topic: 'a',
      content: `@**${name}**`,
    })
    await Promise.all([eraseData(ctx, kept, quiet), eraseData(ctx, kept, quiet)])
    t.same(await erasurePreview(ctx, kept), {})
    t.match((await sql`select rendered_content from messages where id = ${id}`)[0]?.rendered_content, name)
  },
)

t.test('only owners erase; their own account and the bots of the server stay', async t => {
  const admin = await server.person({ role: 200 })
  await ctx.directory.fresh()
  const by = (who: Person) => ({ user: ctx.directory.users.get(who.id) as never, client: 'test' })
  const kept = (user_id: number) => ({ user_id, messages: 'keep' as const })
  await t.rejects(beginErasure(ctx, by(admin), kept(friend.id)), { code: 'UNAUTHORIZED_PRINCIPAL' })
  await t.rejects(beginErasure(ctx, by(friend), kept(admin.id)), { code: 'UNAUTHORIZED_PRINCIPAL' })
  await t.rejects(beginErasure(ctx, by(owner), kept(owner.id)), { code: 'BAD_REQUEST' })
  await t.rejects(beginErasure(ctx, by(owner), kept(999_999)), { code: 'BAD_REQUEST' })
  const [bot] = [...ctx.directory.users.values()].filter(user => user.is_system_bot)
  await t.rejects(beginErasure(ctx, by(owner), kept(bot?.id ?? 0)), { code: 'BAD_REQUEST' })
})

t.test('mentions get the name in the HTML and in the text, and others stay', async t => {
  const html = (name: string, id = 7) =>
    `<p><span class="user-mention" data-user-id="${id}">@${name}</span> <span class="user-mention silent" data-user-id="${id}">${name}</span></p>`
  const text = {
    id: 1,
    content: '@**A &lt; B** @**A < B** @_**A < B|7** @**Other** A < B',
    rendered_content: html('A &lt; B') + html('Other', 77),
  }
  t.same(withName(text, { userId: 7, name: 'Deleted user 7' }), {
    id: 1,
    content: '@**A &lt; B** @**Deleted user 7|7** @_**Deleted user 7|7** @**Other** A < B',
    rendered_content: html('Deleted user 7') + html('Other', 77),
  })
})
