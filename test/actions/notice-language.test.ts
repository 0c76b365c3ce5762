// What the bots of the server say: in channels in the language of the organization, to a person in that of its account.
import t from 'tap'
import { join } from '../../server/actions/joining/join.js'
import { until } from '../http/until.js'
import { setOrganization } from '../support/organization.js'
import { startServer } from '../support/server.js'

const server = await startServer(t)
const { ctx, sql } = server
const owner = await server.person({ role: 100, full_name: 'Olga', settings: { default_language: 'de' } })
const reader = await server.person({ full_name: 'Rita', settings: { default_language: 'en' } })
const other = await server.person({ full_name: 'Fritz', settings: { default_language: 'fr' } })
const { id: office } = await owner.ok('POST', '/channels/create', {
  name: 'büro',
  subscribers: [owner.id, reader.id],
  invite_only: true,
})
await setOrganization(sql, {
  default_language: 'de',
  send_channel_events_messages: true,
  new_stream_announcements_stream_id: office,
  signup_announcements_stream_id: office,
  moderation_request_channel_id: office,
})
const olga = `@_**Olga|${owner.id}**`

/** What bots of the server wrote because of this work: the topic or the reader, and the content. Notices of several places have no order. */
async function said(work: () => Promise<unknown>): Promise<string[]> {
  const [before] = await sql<{ last: number }[]>`select coalesce(max(id), 0) as last from messages`
  await work()
  await until(async () => (await sql`select from jobs where kind = 'notice'`).length === 0)
  const rows = await sql<{ place: string; content: string }[]>`
    select coalesce(
      (select min(full_name) from users where id = any(c.user_ids) and not is_system_bot), m.topic) as place, content
    from messages m join users sender on sender.id = sender_id left join conversations c on c.id = conversation_id
    where sender.is_system_bot and m.id > ${before?.last ?? 0} order by m.id`
  return rows.map(({ place, content }) => `${place}: ${content}`).sort()
}
const make = async (name: string, more = {}): Promise<number> =>
  (await owner.ok('POST', '/channels/create', { name, subscribers: [owner.id], ...more })).id

t.test('a channel, from its beginning to its end', async t => {
  let id = 0
  t.same(
    await said(async () => {
      id = await make('halle', { announce: true })
    }),
    [
      `Kanalereignisse: ${olga} hat diesen öffentlichen Kanal angelegt.`,
      `neue Kanäle: ${olga} hat einen neuen Kanal angelegt: #**halle**.`,
    ],
  )
  const changes = [
    [{ new_name: 'werft' }, `${olga} hat den Kanal **halle** in **werft** umbenannt.`],
    [
      { description: 'Schiffe' },
      `${olga} hat die Beschreibung dieses Kanals geändert.\n\nBisher:\n\n> *Keine Beschreibung.*\n\nJetzt:\n\n> Schiffe`,
    ],
    [
      { is_private: true, history_public_to_subscribers: true },
      `${olga} hat geändert, wer diesen Kanal lesen kann: von **Öffentlich** zu **Privat, mit ganzem Verlauf**.`,
    ],
    [
      { message_retention_days: 1 },
      `${olga} hat geändert, wie lange Nachrichten dieses Kanals aufbewahrt werden: von **Wie in der Organisation** zu **1 Tag**.`,
    ],
  ] as const
  for (const [change, content] of changes) {
    t.same(await said(() => owner.ok('PATCH', `/streams/${id}`, change)), [`Kanalereignisse: ${content}`])
  }
  t.same(await said(() => owner.ok('DELETE', `/streams/${id}`)), [
    `Kanalereignisse: ${olga} hat diesen Kanal archiviert.`,
  ])
  t.same(await said(() => owner.ok('PATCH', `/streams/${id}`, { is_archived: false })), [
    `Kanalereignisse: ${olga} hat diesen Kanal aus dem Archiv geholt.`,
  ])
})

t.test('a person reads its own language, and English where the pages do not speak it', async t => {
  await setOrganization(sql, { send_channel_events_messages: false })
  await make('kai')
  const subscribe = (who: typeof owner, name: string, people: (typeof owner)[]) =>
    said(() =>
      who.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name }], principals: people.map(one => one.id) }),
    )
  t.same(
    await subscribe(owner, 'kai', [reader, other]),
    ['Fritz', 'Rita'].map(name => `${name}: @**Olga|${owner.id}** subscribed you to the channel #**kai**.`),
  )
  await make('mole', { subscribers: [reader.id] })
  t.same(await subscribe(reader, 'mole', [owner]), [
    `Olga: @**Rita|${reader.id}** hat den Kanal #**mole** für dich abonniert.`,
  ])
  const created = await owner.ok('POST', '/user_groups/create', {
    name: 'crew',
    description: '',
    members: [owner.id, reader.id],
    can_manage_group: { direct_members: [owner.id, reader.id], direct_subgroups: [] },
  })
  const change = (who: typeof owner, members: Record<string, unknown>) =>
    said(() => who.ok('POST', `/user_groups/${created.group_id}/members`, members))
  t.same(await change(owner, { delete: [reader.id], add: [other.id] }), [
    `Fritz: ${olga} added you to the group @_*crew*.`,
    `Rita: ${olga} removed you from the group @_*crew*.`,
  ])
  const rita = `@_**Rita|${reader.id}**`
  t.same(await change(reader, { delete: [owner.id] }), [`Olga: ${rita} hat dich aus der Gruppe @_*crew* entfernt.`])
  t.same(await change(reader, { add: [owner.id] }), [`Olga: ${rita} hat dich in die Gruppe @_*crew* aufgenommen.`])
})

t.test('topics and messages that move', async t => {
  const send = async (topic: string): Promise<number> =>
    (await owner.ok('POST', '/messages', { type: 'channel', to: 'kai', topic, content: 'hallo' })).id
  const move = (id: number, change: object) =>
    said(() => owner.ok('PATCH', `/messages/${id}`, { propagate_mode: 'change_all', ...change }))
  const whole = await send('plan')
  t.same(await move(whole, { topic: '✔ plan' }), [`✔ plan: ${olga} hat dieses Thema als erledigt markiert.`])
  t.same(await move(whole, { topic: 'plan' }), [`plan: ${olga} hat dieses Thema als nicht erledigt markiert.`])
  const both = { send_notification_to_old_thread: true, send_notification_to_new_thread: true }
  const [first, , third] = [await send('alt'), await send('alt'), await send('alt')]
  t.match(await move(first, { topic: 'neu', propagate_mode: 'change_one', ...both }), [
    /^alt: @_\*\*Olga\|\d+\*\* hat \[eine Nachricht\]\(\S+\) dieses Themas in #\*\*kai>neu\*\* verschoben\.$/,
    /^neu: @_\*\*Olga\|\d+\*\* hat \[eine Nachricht\]\(\S+\) aus #\*\*kai>alt\*\* hierher verschoben\.$/,
  ])
  t.same(await move(whole, { stream_id: office, ...both }), [
    `plan: ${olga} hat dieses Thema aus #**kai>plan** hierher verschoben.`,
    `plan: ${olga} hat dieses Thema in einen privaten Kanal verschoben.`,
  ])
  t.match(await move(third, { topic: 'neu', propagate_mode: 'change_later', ...both }), [
    /^alt: .* hat 2 Nachrichten dieses Themas in #\*\*kai>neu\*\* verschoben\.$/,
    /^neu: .* hat 2 Nachrichten aus #\*\*kai>alt\*\* hierher verschoben\.$/,
  ])
})

t.test('a new person is announced in the one language and greeted in the other', async t => {
  const inviter = ctx.directory.users.get(owner.id)
  const arrive = (fullName: string, more: { language?: string; isInvited?: boolean }) =>
    said(() =>
      join(ctx, { email: `${fullName}@test.example`, fullName, passwordHash: null, language: more.language }, () => ({
        role: 400,
        channels: { withDefaults: false, ids: [] },
        notified: more.isInvited ? inviter : undefined,
      })),
    )
  t.match(await arrive('Nina', { language: 'en', isInvited: true }), [
    /^Nina: Hello, and welcome to/,
    /^Olga: @_\*\*Nina\|\d+\*\* hat deine Einladung in diese Organisation angenommen\.$/,
    /^neue Leute: @_\*\*Nina\|\d+\*\* ist der Organisation beigetreten\.$/,
  ])
  t.match(await arrive('Nora', {}), [/^Nora: Hallo und willkommen bei/, /^neue Leute: /])
})

t.test('a report of a message', async t => {
  const { id } = await other.ok('POST', '/messages', { type: 'direct', to: [reader.id], content: 'kauf das' })
  const texts = await said(() =>
    reader.ok('POST', `/messages/${id}/report`, { report_type: 'norms', description: 'schon wieder' }),
  )
  t.equal(texts.length, 1)
  t.match(
    texts[0],
    /^Meldungen zu Fritz: @_\*\*Rita\|\d+\*\* hat \[eine Nachricht\]\(\S+\) von @_\*\*Fritz\|\d+\*\* an @_\*\*Rita\|\d+\*\* gemeldet\.\n- Grund: \*\*Verstößt gegen unsere Regeln\*\*\n- Erklärung:\n/,
  )
})

t.test('an organization in a language that the pages do not speak has English', async t => {
  await setOrganization(sql, { default_language: 'fr', send_channel_events_messages: true })
  t.same(await said(() => make('quai')), [`channel events: ${olga} created this public channel.`])
})
