import t from 'tap'
import { Listener } from '../../support/in-step.js'
import { deactivate, setOrganization } from '../../support/organization.js'
import type { Person } from '../../support/people.js'
import { startServer } from '../../support/server.js'
import { channelOf, type Loose, people, refused, say, setChannel } from './scene.js'

const server = await startServer(t)
const { ctx } = server
const [moderator] = await people(server, 1)
const office = await channelOf([moderator], { invite_only: true })

const report = (who: Person, id: number, params: Loose = {}) =>
  who.post(`/messages/${id}/report`, { report_type: 'spam', ...params })

const moderateIn = (id: number) => setOrganization(server.sql, { moderation_request_channel_id: id })

/** The newest message to the moderators. */
const newest = async (apply_markdown = false): Promise<Loose> => {
  const { messages } = await moderator.ok('GET', '/messages', { anchor: 'newest', num_before: 1, apply_markdown })
  return messages[0]
}

t.test('without a channel for reports every report is refused', async t => {
  const [author, reader] = await people(server, 2)
  const id = await say(author, [reader])
  t.match(await report(reader, id), refused())
  await moderateIn(999_999)
  t.match(await report(reader, id), refused(), 'a channel that does not exist')
  t.match(await report(reader, 999_999), refused())
  await moderateIn(office.id)
  t.equal((await report(reader, id)).status, 200)
})

t.test('the report names the reporter, the message and its sender, with a link and a quotation', async t => {
  const author = await server.person({ full_name: 'Rude *Robert*' })
  const reader = await server.person({ full_name: 'Rita Reader' })
  const channel = await channelOf([author, reader])
  const id = await say(author, channel.id, 'buy **this**\n```\ncode\n```', 'Cheap [stuff](x) @**all**')
  const ears = [
    await Listener.start(ctx, moderator),
    await Listener.start(ctx, reader),
    await Listener.start(ctx, author),
  ]
  const answer = await report(reader, id, { report_type: 'norms', description: 'look at @**all** `this`' })
  t.equal(answer.status, 200)
  t.same(answer.body, { result: 'success', msg: '' })
  const [ofModerator, ...others] = await Promise.all(ears.map(ear => ear.inStep(t)))
  t.match(ofModerator, [{ type: 'message', flags: [] }], 'nobody is mentioned')
  t.same(others, [[], []], 'neither the reporter nor the reported one hears of it')
  const message = await newest()
  t.equal(message.stream_id, office.id)
  t.equal(message.subject, "Rude *Robert*'s moderation requests")
  t.equal(message.sender_full_name, 'Notification Bot')
  t.match(
    message.content,
    `@_**${reader.full_name}|${reader.id}** reported [a message](/#narrow/channel/${channel.id}-`,
  )
  t.match(message.content, `/near/${id}) of @_**${author.full_name}|${author.id}** in `)
  t.match(message.content, 'Reason: **Violates community norms**')
  t.match(message.content, '````quote\nbuy **this**\n```\ncode\n```\n````')
  const html = (await newest(true)).content
  t.match(html, 'Rita Reader')
  t.match(html, `<code>#${channel.name} &gt; Cheap [stuff](x) @**all**</code>`, 'names stand for themselves')
  t.match(html, '<p>buy <strong>this</strong></p>')
  t.match(html, /<blockquote>\s*<p>look at /)
})

t.test('each type of the register answer is taken; `other` needs words', async t => {
  const [author, reader] = await people(server, 2)
  const id = await say(author, [reader])
  const { server_report_message_types: types } = await reader.ok('POST', '/register', { fetch_event_types: ['realm'] })
  t.same(
    types.map((type: Loose) => type.key),
    ['spam', 'harassment', 'inappropriate', 'norms', 'other'],
  )
  for (const { key, name } of types) {
    t.equal((await report(reader, id, { report_type: key, description: 'words' })).status, 200)
    t.match((await newest()).content, `**${name}**`)
  }
  t.match(await report(reader, id, { report_type: 'other' }), refused())
  t.match(await report(reader, id, { report_type: 'other', description: '' }), refused())
  t.match(await report(reader, id, { report_type: 'other', description: ' \n' }), refused())
})

t.test('the description is counted in code points', async t => {
  const [author, reader] = await people(server, 2)
  const id = await say(author, [reader], 'x'.repeat(10_000))
  t.equal((await report(reader, id, { description: '😀'.repeat(1000) })).status, 200)
  const { content } = await newest()
  t.equal([...content].length, 10_000, 'what is quoted is cut, not the end of the quotation')
  t.match(content, /x…\n```$/)
  t.match(await report(reader, id, { description: '😀'.repeat(1001) }), refused())
})

t.test('a message that was sent in private is shown in a private channel alone', async t => {
  const [author, reader, third] = await people(server, 3)
  const direct = await say(author, [reader, third], 'for your eyes')
  const hidden = await channelOf([author, reader], { invite_only: true })
  const inHidden = await say(author, hidden.id, 'between us', 'plan')
  const note = await say(author, [author], 'to myself')
  await report(reader, direct)
  t.match((await newest()).content, 'for your eyes')
  t.match((await newest()).content, `to @_**${reader.full_name}|${reader.id}**, @_**${third.full_name}|${third.id}**`)
  await report(reader, inHidden)
  t.match((await newest()).content, 'between us')
  await report(author, note)
  t.match((await newest()).content, 'to no other user')
  const open = await channelOf([moderator])
  await moderateIn(open.id)
  for (const id of [direct, inHidden]) {
    await report(reader, id)
    const { content, stream_id } = await newest()
    t.equal(stream_id, open.id)
    for (const secret of ['for your eyes', 'between us', hidden.name, 'plan']) t.notOk(content.includes(secret), secret)
  }
  const inOpen = await say(author, (await channelOf([author])).id, 'for all to read')
  await report(reader, inOpen)
  t.match((await newest()).content, 'for all to read')
  await moderateIn(office.id)
})

t.test('it is refused', async t => {
  const [author, reader, outsider] = await people(server, 3)
  const id = await say(author, [reader])
  const before = await newest()
  t.match(await report(reader, id, { report_type: 'boring' }), refused())
  t.match(
    await report(reader, id, { report_type: undefined }),
    refused('REQUEST_VARIABLE_MISSING', { var_name: 'report_type' }),
  )
  const hidden = await report(outsider, id)
  t.match(hidden, refused())
  t.same(hidden.body, (await report(outsider, 999_999)).body, 'what one may not see is not there')
  t.match(await report(reader, id, { description: 'a\u0000b' }), refused())
  const gone = await say(author, [reader])
  await author.ok('DELETE', `/messages/${gone}`)
  t.match(await report(reader, gone), refused())
  t.equal((await server.api(null).post(`/messages/${id}/report`, { report_type: 'spam' })).status, 401)
  await setChannel(server, office.id, { is_archived: true })
  t.match(await report(reader, id), refused(), 'the channel for it is archived')
  await setChannel(server, office.id, { is_archived: false })
  t.equal((await newest()).id, before.id, 'nothing was said')
})

t.test(
  'guests and bots may report; also what a deactivated person wrote, and where topics are not allowed',
  async t => {
    const [author] = await people(server, 1)
    const guest = await server.person({ role: 600 })
    const bot = await server.person({ bot_type: 1, bot_owner_id: author.id })
    const leaving = await server.person({ full_name: 'Lea *Leaving*' })
    const channel = await channelOf([author, guest, bot, leaving])
    const id = await say(leaving, channel.id)
    await deactivate(server.sql, leaving.id)
    t.equal((await report(guest, id)).status, 200)
    t.match((await newest(true)).content, 'of <code>Lea *Leaving*</code> in')
    await setChannel(server, office.id, { topics_policy: 'empty_topic_only' })
    t.equal((await report(bot, id)).status, 200)
    t.equal((await newest()).subject, 'general chat')
    await setChannel(server, office.id, { topics_policy: 'inherit' })
  },
)
