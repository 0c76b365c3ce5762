import { execFile } from 'node:child_process'
import { join } from 'node:path'
import t from 'tap'
import { projectRoot } from '../../../server/config/paths.js'
import { Api, type Credentials } from '../../support/http.js'
import type { Loose } from '../../support/in-step.js'
import { startServer, type TestOrganization, testOrganization } from '../../support/server.js'
import { checkRegister } from '../../support/wire-schemas.js'

const program = join(projectRoot, process.env.TEST_DIST ?? 'dist', 'server/admin/main.js')

function seed(
  organization: TestOrganization,
  args: string[],
): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = { ...process.env, ...organization.env() }
  return new Promise(resolve => {
    execFile(process.execPath, [program, 'seed', ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    )
  })
}

const small = ['--users', '60', '--channels', '12', '--messages', '600', '--json']
const everything = {
  include_subscribers: 'true',
  client_capabilities: { archived_channels: true, empty_topic_name: true },
}

t.test('a running server shows what was made, and shows it as it is', async t => {
  const server = await startServer(t)
  const { code, stdout, stderr } = await seed(server.organization, small)
  t.equal(code, 0, stderr)
  t.equal(stderr, '', 'no bar where nobody looks')
  const made = JSON.parse(stdout)
  t.match(made, { users: 60, channels: 12, messages: 600 })
  t.same(
    made.accounts.map((account: Loose) => account.role),
    [100, 200, 300, 400, 600, 400],
    'an account of each role, and a bot',
  )
  const [owner, , , member, guest] = made.accounts.map((account: Credentials) => new Api(server.url, account))

  const state = await member.ok('POST', '/register', everything)
  t.same(checkRegister(state, null), [])
  t.equal(state.realm_users.length + state.realm_non_active_users.length, 60)
  t.ok(state.realm_bots.length >= 0 && state.realm_users.some((user: Loose) => user.is_bot))
  t.ok(
    state.realm_user_groups.some(
      (group: Loose) => group.members.length >= 25 && group.direct_subgroup_ids.length === 0,
    ),
  )
  t.ok(state.unread_msgs.count > 0, 'something is left to read')
  t.ok(state.recent_private_conversations.length > 0)
  await subscribersAreRight(t, server.organization, state)
  await factsAreRight(t, server.organization, await owner.ok('GET', '/streams', { include_all: true }))

  const { messages } = await member.ok('GET', '/messages', { anchor: 'newest', num_before: 500, num_after: 0 })
  const newest = messages.at(-1)
  t.ok(messages.length > 50)
  t.ok(messages.some((message: Loose) => message.type === 'private'))
  t.ok(messages.some((message: Loose) => message.reactions.length > 0))
  t.ok(Date.now() / 1000 - newest.timestamp < 7 * 86_400, 'the newest are of these days')
  const channel = messages.findLast((message: Loose) => message.type === 'stream').stream_id
  const { topics } = await member.ok('GET', `/users/me/${channel}/topics`, { allow_empty_topic_name: true })
  t.ok(topics.length > 1)
  t.ok((await guest.ok('POST', '/register', everything)).subscriptions.length < state.subscriptions.length)

  const sent = {
    type: 'stream',
    to: state.subscriptions.find((one: Loose) => !one.is_archived).stream_id,
    topic: 'now',
  }
  await member.ok('POST', '/messages', { ...sent, content: 'and life goes on' })
  const again = await seed(server.organization, small)
  t.equal(again.code, 0, 'a little more fits in')
  const third = await seed(server.organization, small)
  t.match(
    { ...third, stderr: JSON.parse(third.stderr) },
    { code: 1, stdout: '', stderr: { message: /^The organization contains much data already/ } },
  )
  t.equal((await seed(server.organization, [...small, '--force'])).code, 0)
})

interface Asserts {
  same(found: unknown, wanted: unknown, message: string): unknown
  equal(found: unknown, wanted: unknown, message: string): unknown
}

/** Compares subscribers and their number with the database. */
async function subscribersAreRight(t: Asserts, { sql }: TestOrganization, state: Loose): Promise<void> {
  const rows = await sql<{ channel_id: number; ids: number[] }[]>`
    select channel_id, array_agg(user_id order by user_id) as ids
    from subscriptions join users on users.id = user_id and users.is_active
    where subscriptions.is_active group by channel_id`
  const ids = new Map(rows.map(row => [row.channel_id, row.ids]))
  const all = [...state.subscriptions, ...state.unsubscribed, ...state.never_subscribed]
  for (const { stream_id, subscribers, subscriber_count } of all) {
    t.same(subscribers, ids.get(stream_id) ?? [], `subscribers of ${stream_id}`)
    t.equal(subscriber_count, subscribers.length, `and their number`)
  }
}

/** Compares a channel's fields about messages with the messages. */
async function factsAreRight(t: Asserts, { sql }: TestOrganization, { streams }: Loose): Promise<void> {
  const rows = await sql<{ id: number; first: number | null; lately: number }[]>`
    select channels.id, min(messages.id) as first,
      count(messages.id) filter (where date_sent >= now() - interval '28 days')::int as lately
    from channels left join messages on messages.channel_id = channels.id group by channels.id`
  const facts = new Map(rows.map(row => [row.id, row]))
  for (const { stream_id, first_message_id, stream_weekly_traffic } of streams) {
    const { first = null, lately = 0 } = facts.get(stream_id) ?? {}
    t.equal(first_message_id, first, `first message of ${stream_id}`)
    t.equal(stream_weekly_traffic, Math.ceil(lately / 4), `traffic of ${stream_id}`)
  }
}

t.test('users have read and flagged only messages that they received', async t => {
  const organization = await testOrganization(t)
  t.equal((await seed(organization, small)).code, 0, 'no server has to run')
  const { sql } = organization
  const [strays] = await sql<{ flags: number; senders: number; reactions: number; order: number }[]>`
    with received as (
      select m.id, s.user_id from messages m join subscriptions s on s.channel_id = m.channel_id and m.id <@ s.spans
    )
    select
      (select count(*)::int from message_flags f
        where not exists (select from received r where r.id = f.message_id and r.user_id = f.user_id)) as flags,
      (select count(*)::int from messages m where channel_id is not null
        and not exists (select from received r where r.id = m.id and r.user_id = m.sender_id)) as senders,
      (select count(*)::int from reactions e
        where not exists (select from received r where r.id = e.message_id and r.user_id = e.user_id)) as reactions,
      (select count(*)::int from messages a join messages b on b.id = a.id + 1 and b.date_sent < a.date_sent) as order`
  t.same(strays, { flags: 0, senders: 0, reactions: 0, order: 0 })
})

t.test('the same seed makes the same organization, but for the keys; another one another', async t => {
  const [one, two, other] = [await testOrganization(t), await testOrganization(t), await testOrganization(t)]
  await Promise.all([seed(one, [...small, '--seed', '7']), seed(two, [...small, '--seed', '7'])])
  await seed(other, [...small, '--seed', '8'])
  t.same(await contentsOf(one), await contentsOf(two))
  t.not((await contentsOf(other)).messages, (await contentsOf(one)).messages)
  const keys = new Set(await keysOf(two))
  t.same(
    (await keysOf(one)).filter(key => keys.has(key)),
    [],
  )
})

async function contentsOf({ sql }: TestOrganization): Promise<Loose> {
  const [contents] = await sql<Loose[]>`
    select (select md5(string_agg(concat_ws('|', id, delivery_email, full_name, role, is_active, bot_owner_id), ',' order by id))
        from users) as users,
      (select md5(string_agg(concat_ws('|', name, description, invite_only), ',' order by id)) from channels) as channels,
      (select md5(string_agg(concat_ws('|', user_id, channel_id, is_active, spans), ',' order by channel_id, user_id))
        from subscriptions) as subscriptions,
      (select md5(string_agg(concat_ws('|', group_id, user_id), ',' order by group_id, user_id)) from user_group_members) as groups,
      (select md5(string_agg(concat_ws('|', id, sender_id, channel_id, conversation_id, topic, content), ',' order by id))
        from messages) as messages,
      (select md5(string_agg(concat_ws('|', user_id, ranges), ',' order by user_id, block)) from read_state) as reading`
  return contents as Loose
}

async function keysOf({ sql }: TestOrganization): Promise<string[]> {
  return (await sql<{ api_key: string }[]>`select api_key from users`).map(row => row.api_key)
}

t.test('a wrong command line gets one sentence and exit code 2', async t => {
  const organization = await testOrganization(t)
  for (const wrong of [['--users', '0'], ['--channels', '-1'], ['--messages', 'many'], ['--seed', '1.5'], ['--fast']]) {
    t.match(await seed(organization, wrong), { code: 2, stdout: '', stderr: /^[^\n]+\n$/ }, wrong.join(' '))
  }
  const [{ users } = { users: -1 }] = await organization.sql<
    { users: number }[]
  >`select count(*)::int as users from users`
  t.equal(users, 0, 'and nothing was made')
})
