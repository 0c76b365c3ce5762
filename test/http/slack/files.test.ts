import t from 'tap'
import { startServer } from '../../support/server.js'
import { callSlack, errorOf, slackClient } from './slack.js'

const server = await startServer(t, { MAX_FILE_UPLOAD_MIB: '1' })
const ann = await server.person({ full_name: 'Ann Lee' })
const bot = await server.person({ full_name: 'Robo', bot_type: 1, bot_owner_id: ann.id })
for (const who of [ann, bot]) await who.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'kitchen' }] })
const { stream_id: kitchen } = await ann.ok('GET', '/get_stream_id', { stream: 'kitchen' })
const channel_id = `C${kitchen}`
const slack = slackClient(server, bot)
const token = bot.api_key

async function newest() {
  const { messages } = await ann.ok('GET', '/messages', {
    anchor: 'newest',
    num_before: 1,
    apply_markdown: false,
    allow_empty_topic_name: true,
  })
  return messages[0]
}

async function bytesOf(path: string): Promise<string> {
  const { url } = await ann.ok('GET', path)
  return (await fetch(new URL(url, server.url))).text()
}

const addressFor = (filename: string, length: number) => slack.files.getUploadURLExternal({ filename, length })
const send = (url: string | undefined, body: string, headers: Record<string, string> = {}) =>
  fetch(url as string, { method: 'POST', body, headers })

t.test('the client of Slack uploads files into a message', async t => {
  await slack.filesUploadV2({
    channel_id,
    initial_comment: '*Two* files',
    file_uploads: [
      { file: Buffer.from('soup, stew'), filename: 'menu.csv', title: 'The [menu]' },
      { content: 'plain', filename: 'note.txt' },
    ],
  })
  const { content, subject, sender_id } = await newest()
  t.match({ subject, sender_id }, { subject: '', sender_id: bot.id })
  const [, menu, note] =
    /^\*\*Two\*\* files\n\n\[The menu\]\((\/user_uploads\/\S+\/menu\.csv)\)\n\[note\.txt\]\((\/user_uploads\/\S+\/note\.txt)\)$/.exec(
      content,
    ) ?? []
  t.equal(await bytesOf(menu as string), 'soup, stew')
  t.equal(await bytesOf(note as string), 'plain')
})

t.test('the bytes alone are a file, too, and a thread gets it', async t => {
  const { id } = await ann.ok('POST', '/messages', { type: 'channel', to: kitchen, topic: 'lunch', content: 'Menu?' })
  const { message } = await ann.ok('GET', `/messages/${id}`)
  const thread_ts = `${message.timestamp}.${String(id % 1_000_000).padStart(6, '0')}`
  const { upload_url, file_id } = await addressFor('a "b".txt', 5)
  const sent = await send(upload_url, 'bytes', { 'content-type': 'application/octet-stream' })
  t.equal(sent.status, 200)
  t.match(await sent.json(), { ok: true })
  const files: [{ id: string }] = [{ id: file_id as string }]
  t.match(await slack.files.completeUploadExternal({ files, channel_id, thread_ts }), { files: [{ id: file_id }] })
  const { subject, content } = await newest()
  t.equal(subject, 'lunch')
  const [, path] = /^\[\S+\]\((\/user_uploads\/\S+)\)$/.exec(content) ?? []
  t.equal(await bytesOf(path as string), 'bytes')
})

t.test('files that are too large, foreign or unknown are refused', async t => {
  const before = (await newest()).id
  t.equal(await errorOf(addressFor('a.txt', 2_000_000)), 'file_upload_size_restricted')
  const { upload_url, file_id } = await addressFor('a.txt', 5)
  const large = await send(upload_url, 'x'.repeat(2_000_000), { 'content-type': 'application/octet-stream' })
  t.equal(large.status, 400)
  t.equal((await send(upload_url, '', { 'content-type': 'text/plain' })).status, 400)
  t.equal((await send(upload_url, 'x', { 'content-type': 'multipart/form-data; boundary=b' })).status, 400)
  t.equal((await fetch(upload_url as string)).status, 405)
  const forged = (upload_url as string).replace(/.$/, last => (last === '0' ? '1' : '0'))
  t.equal((await send(forged, 'x')).status, 401)
  t.equal((await send(`${server.url}/slack/upload`, 'x')).status, 401)
  const complete = (files: object[], more: object = {}) =>
    callSlack(server, 'files.completeUploadExternal', { token, args: { files, channel_id, ...more } })
  const own = await addressFor('own.txt', 3)
  t.equal((await send(own.upload_url, 'own')).status, 200)
  const foreign = await callSlack(server, 'files.completeUploadExternal', {
    token: ann.api_key,
    args: { files: [{ id: own.file_id }], channel_id },
  })
  t.match(foreign.body, { ok: false, error: 'file_not_found' })
  for (const [answer, error] of [
    [await complete([{ id: file_id }]), 'file_not_found'],
    [await complete([{ id: 'F1:2' }]), 'file_not_found'],
    [await complete([]), 'invalid_arguments'],
    [await complete([{}]), 'invalid_arguments'],
    [await complete(Array(11).fill({ id: own.file_id })), 'invalid_arguments'],
    [await complete([{ id: own.file_id }], { channel_id: 'C1,C2' }), 'invalid_channel'],
    [await complete([{ id: own.file_id }], { channel_id: 'C999999' }), 'channel_not_found'],
    [await complete([{ id: own.file_id }], { thread_ts: '1.000001' }), 'thread_not_found'],
    [await callSlack(server, 'files.getUploadURLExternal', { token, args: { filename: 'x' } }), 'invalid_arguments'],
    [
      await callSlack(server, 'files.getUploadURLExternal', { token, args: { filename: 'x', length: 0 } }),
      'invalid_arguments',
    ],
  ] as const) {
    t.match(answer.body, { ok: false, error })
  }
  t.equal((await newest()).id, before)
})
