import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import type { SendMailOptions } from 'nodemailer'
import t from 'tap'
import { type Conversation, replyAddresses } from '../../server/actions/incoming-mail/reply-address.js'
import { readConfig } from '../../server/config.js'
import { MailCounts } from '../../server/smtp/mail-counts.js'
import { receiveMails } from '../../server/smtp/mail-listener.js'
import { requireRecipient } from '../../server/smtp/receive-mail.js'
import { NotifyScene } from '../api/notify/scene.js'
import { until } from '../http/until.js'
import type { Loose } from '../support/in-step.js'
import { newMails } from '../support/mails.js'
import { deactivate, setChannel, setUser } from '../support/organization.js'
import type { Person } from '../support/people.js'
import { sendMailTo } from '../support/send-mail.js'
import { startServer, testOrganization } from '../support/server.js'
import { TcpProxy } from '../support/tcp-proxy.js'

const organization = await testOrganization(t)
const { proxy, url: throughProxy } = await TcpProxy.before(t, organization.services.databaseUrl)
const settings = {
  DATABASE_URL: throughProxy,
  INCOMING_MAIL_ADDRESS: 'in+%s@Mail.test',
  INCOMING_MAIL_HOST: '0.0.0.0',
  INCOMING_MAIL_PORT: '0',
  INCOMING_MAIL_MAX_MIB: '13',
  MAX_FILE_UPLOAD_MIB: '1',
}
const server = await startServer(t, settings, organization)
const { sql, ctx } = server
const scene = new NotifyScene(server)
const written = newMails(sql, server.config.dataDir)
const admin = await server.person({ role: 200 })

const send = (mail: SendMailOptions, port = server.mailPort) => sendMailTo(port, mail)

const replyTo = async (person: Person, conversation: Conversation): Promise<string> => {
  const [address] = await sql.begin(tx => replyAddresses(ctx, tx as never, person.id, [conversation]))
  return address ?? ''
}

const idle = () =>
  until(async () => (await sql`select from jobs where kind in ('incoming-mail', 'notice')`).length === 0)

async function messages(reader: Person, narrow: Loose[]): Promise<Loose[]> {
  await idle()
  const asked = { anchor: 'newest', num_before: 20, num_after: 0, narrow, apply_markdown: false }
  return (await reader.ok('GET', '/messages', asked)).messages
}
const inChannel = (reader: Person, channel: number) => messages(reader, [{ operator: 'channel', operand: channel }])
const notices = async (reader: Person): Promise<string[]> =>
  (await messages(reader, [{ operator: 'is', operand: 'dm' }]))
    .filter(({ sender_email }) => /^notification-bot@/.test(sender_email))
    .map(({ content }) => content)

async function channelOf(owner: Person, options: Loose = {}): Promise<number> {
  const name = `Plans ${randomBytes(4).toString('hex')}`
  await owner.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name }], ...options })
  return (await owner.ok('GET', '/get_stream_id', { stream: name })).stream_id
}
const addressOf = async (person: Person, channel: number, sender?: number): Promise<string> =>
  (await person.ok('GET', `/streams/${channel}/email_address`, sender === undefined ? {} : { sender_id: sender })).email

t.test('the settings are checked at the start', async t => {
  const wrong = [
    'in@x.test',
    'in+%s',
    '%s%s@x.test',
    'in+%s@x.test, other@x.test',
    'a b%s@x.test',
    'fifteen.letters%s@x.test',
    'in@%s.test',
  ]
  for (const INCOMING_MAIL_ADDRESS of wrong) {
    t.throws(() => readConfig({ INCOMING_MAIL_ADDRESS }), { message: /^The setting INCOMING_MAIL_ADDRESS / })
  }
  t.throws(() => readConfig({ INCOMING_MAIL_PORT: '65536' }), { message: /^The setting INCOMING_MAIL_PORT / })
  t.throws(() => readConfig({ INCOMING_MAIL_MAX_MIB: '0' }), { message: /^The setting INCOMING_MAIL_MAX_MIB / })
  t.equal(readConfig({}).incomingMail, undefined)
  t.match(readConfig({ INCOMING_MAIL_ADDRESS: '%s@x.test', HOST: '::1' }).incomingMail, { host: '::1', port: 2525 })
})

t.test('a network has some connections at once, a mail server of the operator more', async t => {
  const hosts: [string | undefined, number][] = [
    ['127.0.0.1', 25],
    [addressOfMachine(), 10],
  ]
  for (const [host, most] of hosts) {
    if (host === undefined) {
      t.comment('this machine has no address but its own')
      continue
    }
    const sockets = Array.from({ length: 30 }, () => connect({ port: Number(server.mailPort), host }))
    let greeted = 0
    let ended = 0
    for (const socket of sockets) {
      socket.on('error', () => {})
      socket.once('data', () => greeted++)
      socket.once('close', () => ended++)
    }
    await until(() => greeted === most && ended === 30 - most)
    for (const socket of sockets) socket.destroy()
    await until(async () => (await send({ to: 'unknown@mail.test', from: admin.email, text: 'x' })).code === 550)
  }
})

function addressOfMachine(): string | undefined {
  const all = Object.values(networkInterfaces()).flatMap(found => found ?? [])
  return all.find(({ family, internal }) => family === 'IPv4' && !internal)?.address
}

t.test('a session ends that names no recipient of the server', async t => {
  const author = await server.person()
  const to = await replyTo(author, { people: [author.id] })
  const listener = await receiveMails(ctx, new MailCounts(), 4_000)
  t.teardown(() => listener?.stop())
  const [known, unknown] = [to, 'unknown@mail.test'].map(recipient => {
    const socket = connect({ port: Number(listener?.port), host: '127.0.0.1' })
    const session = { socket, answers: '' }
    socket.on('error', () => {})
    socket.on('data', data => {
      session.answers += data
    })
    socket.once('data', () => socket.write(`HELO x\r\nMAIL FROM:<x@x.test>\r\nRCPT TO:<${recipient}>\r\n`))
    return session
  })
  await until(() => unknown?.socket.closed === true)
  t.match(unknown?.answers, /^550 /m)
  known?.socket.write('NOOP\r\nQUIT\r\n')
  await until(() => /^221 /m.test(known?.answers ?? ''))
})

t.test('files of mails stay that another machine receives; those of workers that died go', async t => {
  const folder = join(server.config.dataDir, 'incoming-mail')
  const left = async (name: string, hours: number) => {
    const then = new Date(Date.now() - hours * 3_600_000)
    await writeFile(join(folder, name), 'x')
    await utimes(join(folder, name), then, then)
  }
  await left('of-another', 0.5)
  await left('left', 2)
  const listener = await receiveMails(ctx, new MailCounts())
  t.same(await readdir(folder), ['of-another'])
  await listener?.stop()
  await left('of-another', 2)
  const author = await server.person()
  const to = await replyTo(author, { people: [author.id] })
  t.match(await send({ from: author.email, to, text: 'x' }), { code: 250 })
  t.same(await readdir(folder), [])
})

t.test('a reply becomes a message of its author, without what it quotes, once', async t => {
  const [author, other] = [await server.person(), await server.person()]
  const channel = await channelOf(author)
  const to = await replyTo(author, { channelId: channel, topic: 'lunch' })
  t.match(to, /^in\+mm[0-9a-f]{32}@mail\.test$/)
  t.equal(await replyTo(author, { channelId: channel, topic: 'lunch' }), to, 'it is the same for each mail')
  t.not(await replyTo(other, { channelId: channel, topic: 'lunch' }), to, 'and another one for others')
  const text = 'At **noon**.\n\nOn Monday, Iago <iago@test.example>\nwrote:\n> When?\n>> Today.\n\n-- \nIn haste'
  const mail = { from: author.email.toUpperCase(), to: to.toUpperCase(), text, messageId: '<first@test.example>' }
  t.match(await send(mail), { code: 250 })
  t.match(await send(mail), { code: 250 }, 'its server did not get the answer, and sends it again')
  const sent = await inChannel(author, channel)
  t.match(sent, [{ sender_id: author.id, subject: 'lunch', content: 'At **noon**.', client: 'Internal' }])
  t.equal(sent.length, 1)
  t.ok(sent[0]?.flags.includes('read'))
  const direct = await replyTo(author, { people: [other.id] })
  await send({ from: author.email, to: direct, html: '<p>Yes, <b>at noon</b></p><div class="gmail_quote">When?</div>' })
  t.match(await messages(other, [{ operator: 'dm', operand: [author.id] }]), [{ content: 'Yes, **at noon**' }])
})

t.test('people answer the mail about what they missed', async t => {
  const [author, other] = [await server.person(), await server.person()]
  await scene.decided(await scene.direct(other, [author], 'Are you there?'))
  await scene.periodEnds(author)
  const mail = (await written()).find(one => one.to.includes(author.email))
  const header = (name: string) => new RegExp(`^${name}: *<?([^>\\s]+)>?`, 'im').exec(mail?.source ?? '')?.[1] ?? ''
  const [to, id] = [header('Reply-To'), `<${header('Message-ID')}>`]
  const text = `Yes.\n\n${mail?.text.replace(/^/gm, '> ')}`
  t.match(await send({ from: author.email, to, text, inReplyTo: id, references: id }), { code: 250 })
  t.match((await messages(other, [{ operator: 'dm', operand: [author.id] }])).at(-1), {
    sender_id: author.id,
    content: 'Yes.',
  })
})

t.test('a reply follows its topic', async t => {
  const author = await server.person()
  const channel = await channelOf(author)
  const { id } = await author.ok('POST', '/messages', { type: 'channel', to: channel, topic: 'old', content: 'x' })
  const to = await replyTo(author, { channelId: channel, topic: 'old', messageId: id })
  await admin.ok('PATCH', `/messages/${id}`, { topic: 'new', send_notification_to_old_thread: false })
  await send({ from: author.email, to, text: 'here' })
  t.match((await inChannel(author, channel)).at(-1), { subject: 'new', content: 'here' })
})

t.test('only addresses that this server made, and that are valid, are accepted', async t => {
  const author = await server.person()
  const channel = await channelOf(author)
  const reply = await replyTo(author, { channelId: channel, topic: 'x' })
  const address = await addressOf(author, channel)
  const guessed = reply.replace(/[0-9a-f]{6}@/, 'abcdef@')
  const wrong = [
    guessed,
    reply.replace('in+mm', 'in+'),
    address.replace(/in\+.*\.([0-9a-f]{32}).*@/, 'in+mm$1@'),
    'postmaster@mail.test',
    'somebody@elsewhere.test',
    `${'x'.repeat(60)}${reply}`,
    '"in+mm"@mail.test',
  ]
  for (const to of wrong) t.match(await send({ from: author.email, to, text: 'x' }), { code: 550 }, to)
  await sql`update mail_addresses set expires = now() where purpose = 'reply' and user_id = ${author.id}`
  t.match(await send({ from: author.email, to: reply, text: 'x' }), { code: 550 }, 'it has ended')
  await replyTo(author, { channelId: channel, topic: 'x' })
  await setChannel(sql, channel, { is_archived: true })
  t.match(await send({ from: author.email, to: address, text: 'x' }), { code: 550 }, 'the channel is archived')
  await deactivate(sql, author.id)
  t.match(await send({ from: author.email, to: reply, text: 'x' }), { code: 550 }, 'the account is deactivated')
  t.same(await inChannel(admin, channel).catch(() => []), [])
})

t.test('the permissions are those of the moment; the author learns of a refusal', async t => {
  const [owner, author] = [await server.person(), await server.person()]
  const channel = await channelOf(owner, { invite_only: true, principals: [owner.id, author.id] })
  const to = await replyTo(author, { channelId: channel, topic: 'secret' })
  const address = await addressOf(author, channel)
  await owner.ok('DELETE', '/users/me/subscriptions', {
    subscriptions: [(await owner.ok('GET', `/streams/${channel}`)).stream.name],
    principals: [author.id],
  })
  t.match(await send({ from: author.email, to, text: 'x', subject: 'Re: [a](b) `' }), { code: 250 })
  t.match(await send({ from: 'any@test.example', to: address, text: 'x', subject: 'news' }), { code: 250 })
  const found = await notices(author)
  t.equal(found.length, 2)
  t.match(found[0], /could not be posted:\n\n```quote\nNot authorized to send to this channel\n```/)
  t.notMatch(found.join(), /secret/, 'a place that the account may not know is not named')
  t.same(await inChannel(owner, channel), [])
  const empty = await replyTo(author, { people: [owner.id] })
  t.match(await send({ from: author.email, to: empty, text: '> only a quotation' }), { code: 250 })
  t.match((await notices(author)).at(-1), /Message must not be empty/)
  await author.ok('PATCH', '/settings', { default_language: 'de' })
  t.match(await send({ from: author.email, to: empty, text: '> only a quotation' }), { code: 250 })
  t.match((await notices(author)).at(-1), /^Die E-Mail .* konnte nicht gesendet werden:/)
})

t.test('a reply from another address is not posted: who got the mail forwarded has no more rights', async t => {
  const [author, other] = [await server.person(), await server.person()]
  const to = await replyTo(author, { people: [other.id] })
  t.match(await send({ from: other.email, to, text: 'as the author' }), { code: 250 })
  t.match(await notices(author), [new RegExp(`from \`${other.email}\` .* was not posted`)])
  const checked = (result: string) => ({ 'Authentication-Results': `mx.test; spf=pass; dmarc=${result} (p=reject)` })
  t.match(await send({ from: author.email, to, text: 'forged', headers: checked('fail') }), { code: 250 })
  t.match((await notices(author)).at(-1), /may be forged/)
  await author.ok('PATCH', '/settings', { default_language: 'de' })
  t.match(await send({ from: author.email, to, text: 'forged', headers: checked('fail') }), { code: 250 })
  t.match((await notices(author)).at(-1), /wurde nicht gesendet, weil/)
  const own = author.email.replace('@', '+chat@')
  t.match(await send({ from: own, to, text: 'mine', headers: checked('pass') }), { code: 250 })
  t.match(await messages(other, [{ operator: 'dm', operand: [author.id] }]), [{ content: 'mine' }])
})

t.test('what programs send is accepted and dropped', async t => {
  const [author, other] = [await server.person(), await server.person()]
  const to = await replyTo(author, { people: [other.id] })
  const channel = await channelOf(author)
  const address = await addressOf(author, channel)
  const always: SendMailOptions[] = [
    { headers: { 'Auto-Submitted': 'auto-replied (vacation)' } },
    { headers: { 'Auto-Submitted': 'auto-replied; owner=x' } },
    { headers: { 'X-Autoreply': 'yes' } },
    { headers: { 'List-Id': `Test <anything.${ctx.realmHost}>` } },
    { messageId: `<${ctx.directory.organization.uuid}-job-1@elsewhere.test>` },
    { envelope: { from: '', to: [to] } },
    { headers: Array.from({ length: 101 }, () => ({ key: 'Received', value: 'from a by b' })) },
  ]
  const inReplies: SendMailOptions[] = [
    { headers: { 'Auto-Submitted': 'auto-generated' } },
    { headers: { Precedence: 'bulk' } },
    { headers: { Precedence: 'LIST' } },
    { headers: { 'List-Id': 'A list <list.elsewhere.test>' } },
  ]
  const made = () => sql`select count(*) from jobs where kind in ('incoming-mail', 'notice')`
  const before = await made()
  for (const one of [...always, ...inReplies]) {
    t.match(await send({ from: author.email, to, text: 'x', ...one }), { code: 250 }, JSON.stringify(one).slice(0, 80))
  }
  for (const { envelope, ...one } of always) {
    const sent = {
      from: author.email,
      to: address,
      text: 'x',
      ...one,
      ...(envelope && { envelope: { from: '', to: [address] } }),
    }
    t.match(await send(sent), { code: 250 })
  }
  t.same(await made(), before)
  t.same(await messages(other, [{ operator: 'dm', operand: [author.id] }]), [])
  t.same(await inChannel(author, channel), [])
  for (const one of inReplies) await send({ from: 'robot@test.example', to: address, text: 'a report', ...one })
  t.equal((await inChannel(author, channel)).length, inReplies.length, 'channels take reports and mailing lists')
  const human = { from: author.email, to, text: 'by hand', headers: { 'Auto-Submitted': 'no' } }
  t.match(await send(human), { code: 250 })
  t.equal((await messages(other, [{ operator: 'dm', operand: [author.id] }])).length, 1)
})

t.test('a mail to a channel becomes a message of the gateway bot or of the chosen sender', async t => {
  const author = await server.person()
  const bot = await server.person({ bot_type: 1, bot_owner_id: author.id })
  const channel = await channelOf(author)
  const address = await addressOf(author, channel)
  t.match(address, /^in\+plans-[0-9a-f]{8}\.[0-9a-f]{32}\.show-sender@mail\.test$/)
  const plain = address.replace('.show-sender', '')
  const text = 'News\n\n> quoted\n\n-- \nfooter'
  const from = { name: 'Ann @**all** [x](y)', address: 'ann@test.example' }
  const cases: [string, SendMailOptions, Loose][] = [
    [
      address,
      {},
      {
        subject: 'plans',
        content: '**From:** Ann all x(y) <ann@test.example>\nNews',
        sender_full_name: 'Email Gateway',
      },
    ],
    [plain.replace('@', '.include-quotes+include-footer@'), {}, { content: 'News\n\n> quoted\n\n-- \nfooter' }],
    [plain, { subject: 'Fwd: AW: plans' }, { subject: 'plans', content: text }],
    [plain, { subject: '' }, { subject: 'Email with no subject', content: 'News' }],
    [plain, { html: '<i>Markup</i>' }, { content: 'News' }],
    [plain.replace('@', '.prefer-html@'), { html: '<i>Markup</i>' }, { content: '*Markup*' }],
    [plain, { text: '' }, { content: '(No email body)' }],
    [
      address,
      { from: { name: '\u{1d49c}'.repeat(150), address: 'x@x.test' } },
      { content: /^\*\*From:\*\* \u{1d49c}{99}… <x@x\.test>\nNews$/u },
    ],
    [plain, { subject: `x${'y'.repeat(100)}` }, { subject: `x${'y'.repeat(56)}...` }],
    [plain, { subject: 'two\r\nBcc: lines\u0000' }, { subject: /^two ?Bcc: lines$/ }],
    [await addressOf(author, channel, author.id), {}, { sender_id: author.id }],
    [await addressOf(author, channel, bot.id), {}, { sender_id: bot.id }],
  ]
  for (const [to, mail, expected] of cases) {
    t.match(await send({ from, to, text, subject: 'plans', ...mail }), { code: 250 })
    t.match((await inChannel(author, channel)).at(-1), expected, to)
  }
  t.equal(await addressOf(author, channel), address, 'an address stays')
})

t.test('attachments become files of the sender; those that are refused are named', async t => {
  const [author, other] = [await server.person(), await server.person()]
  const to = await replyTo(author, { people: [other.id] })
  const attachments = [
    { filename: 'no[te].txt', content: 'the note' },
    { filename: 'large.bin', content: Buffer.alloc(1_048_577) },
    { filename: '../../etc/passwd', content: 'x' },
  ]
  t.match(await send({ from: author.email, to, text: 'see', attachments }), { code: 250 })
  const [message] = await messages(other, [{ operator: 'dm', operand: [author.id] }])
  t.match(
    message?.content,
    /^see\n\n\[no_te_\.txt\]\(\/user_uploads\/\S+\)\n`large\.bin`: Uploaded file is larger .*\n\[passwd\]\(\S+\)$/,
  )
  const path = /\(\/user_uploads\/(\S+?)\)/.exec(message?.content)?.[1]
  const { url } = await other.ok('GET', `/user_uploads/${path}`)
  t.equal(await (await fetch(new URL(url, server.url))).text(), 'the note')
  const many = Array.from({ length: 25 }, (_, n) => ({ filename: `${n}${'\u{1d49c}'.repeat(120)}.txt`, content: 'x' }))
  t.match(await send({ from: author.email, to, text: 'x'.repeat(20_000), attachments: many }), { code: 250 })
  const last = (await messages(other, [{ operator: 'dm', operand: [author.id] }])).at(-1)?.content ?? ''
  t.match(
    last,
    /\[message truncated\]\n\n\[0.*\n\(\d+ more files were left out\.\)$/s,
    'the text is cut, not the links',
  )
})

t.test('of a mail with ten megabytes of quotations the beginning is read; a longer one is refused', async t => {
  const [author, other] = [await server.person(), await server.person()]
  const to = await replyTo(author, { people: [other.id] })
  const quotes = `${'> '.repeat(30)}quoted ${'x'.repeat(30)}\n`.repeat(105_000)
  t.match(await send({ from: author.email, to, text: `above\n\n${quotes}\nbelow` }), { code: 250 })
  t.match(await messages(other, [{ operator: 'dm', operand: [author.id] }]), [{ content: 'above' }])
  t.match(await send({ from: author.email, to, text: 'x'.repeat(14_000_000) }), { code: 552 })
})

t.test('while the database is away mails are refused for now, and later taken', async t => {
  const [author, other] = [await server.person(), await server.person()]
  const to = await replyTo(author, { people: [other.id] })
  const mail = { from: author.email, to, text: 'later', messageId: '<later@test.example>' }
  proxy.reset()
  t.match(await send(mail), { code: 451 })
  proxy.heal()
  await until(async () => (await send(mail)).code === 250)
  t.equal((await messages(other, [{ operator: 'dm', operand: [author.id] }])).length, 1)
  // No room for the mail: a file is in the place of the folder.
  const folder = join(server.config.dataDir, 'incoming-mail')
  await rm(folder, { recursive: true })
  t.match(await send({ ...mail, messageId: undefined }), { code: 451 })
  await mkdir(folder)
  // Between the recipient and the data.
  await sql`alter table received_mails rename to elsewhere`
  t.match(await send({ ...mail, messageId: undefined }), { code: 451 })
  await sql`alter table elsewhere rename to received_mails`
  t.match(await send({ ...mail, messageId: undefined }), { code: 250 })
})

t.test('any bytes leave the server running', async t => {
  const author = await server.person()
  const to = await replyTo(author, { people: [author.id] })
  const parts = fc.constantFrom(
    'Content-Type: multipart/mixed; boundary=a',
    'Content-Type: text/html; charset=nonsense',
    'Content-Transfer-Encoding: base64',
    'Subject: =?utf-8?B?////?=',
    'From: <',
    '--a',
    '--a--',
    '',
    '<p><b><a href="javascript:x">'.repeat(40),
    '\u0000\ufffe\ud800',
    'Message-ID: <a',
  )
  const raw = fc.oneof(
    fc.array(parts, { maxLength: 12 }).map(lines => lines.join('\r\n')),
    fc.string({ unit: 'binary' }),
  )
  await fc.assert(
    fc.asyncProperty(raw, async text => {
      // The limit of an account is not what this test is about.
      await ctx.attempts.forget('incoming-mail', `account ${author.id}`)
      const { code } = await send({ envelope: { from: author.email, to: [to] }, raw: text })
      return code === 250 || code === 554
    }),
    { numRuns: 15 },
  )
  const socket = connect({ port: Number(server.mailPort), host: '127.0.0.1' })
  socket.on('error', () => {})
  socket.end(`EHLO x\r\nAUTH PLAIN AGEAYg==\r\nMAIL FROM:<\r\nRCPT TO:<x\r\nDATA\r\n${'\u0000'.repeat(20_000)}\r\n`)
  let answers = ''
  for await (const chunk of socket) answers += chunk
  t.notMatch(answers, /^250[ -]AUTH|^235/m, 'no program signs in')
  t.notMatch(answers, /^354/m)
  await ctx.attempts.forget('incoming-mail', `account ${author.id}`)
  t.match(await send({ from: author.email, to, text: 'still here' }), { code: 250 })
})

t.test('the mails of an organization, of an address, of an account, and tries of addresses are limited', async t => {
  const author = await server.person()
  const channel = await channelOf(author)
  const address = await addressOf(author, channel)
  const to = await replyTo(author, { people: [author.id] })
  const use = async (kind: string, who: string, most: number) => {
    for (let n = 0; n < most; n++) await ctx.attempts.count(kind, who, [{ seconds: 3600, most: 1000 }], Date.now())
  }
  for (let n = 0; n < 60; n++) await requireRecipient(ctx, address, '127.0.0.1')
  t.match(await send({ from: author.email, to: address, text: 'x' }), { code: 250 }, 'only mails that arrive count')
  const [, token = ''] = /([0-9a-f]{32})/.exec(address) ?? []
  await use('incoming-mail', `address ${token}`, 18)
  t.match(await send({ from: author.email, to: address, text: 'x' }), { code: 250 })
  t.match(await send({ from: author.email, to: address, text: 'x' }), { code: 451 })
  const another = await addressOf(author, channel, author.id)
  t.match(await send({ from: author.email, to: another, text: 'x' }), { code: 250 }, 'an address does not stop others')
  await ctx.attempts.forget('incoming-mail', `address ${token}`)
  await use('incoming-mail', 'organization', 50)
  t.match(await send({ from: author.email, to: address, text: 'x' }), { code: 451 })
  t.match(await send({ from: author.email, to, text: 'x' }), { code: 250 }, 'replies are counted by account')
  await use('incoming-mail', `account ${author.id}`, 19)
  t.match(await send({ from: author.email, to, text: 'x' }), { code: 451 })
  await ctx.attempts.forget('incoming-mail', 'organization')
  t.match(await send({ from: author.email, to: address, text: 'x' }), { code: 250 })
  await ctx.attempts.forget('incoming-mail', 'organization')
  const unknown = 'in+mm00000000000000000000000000000000@mail.test'
  await use('unknown-mail-address', '2001:db8:0:0::/64', 299)
  await t.rejects(requireRecipient(ctx, unknown, '2001:db8::1'), { message: /no such address/ })
  await t.rejects(requireRecipient(ctx, address, '2001:db8::2'), { message: /Too many mails/ })
  await t.resolves(requireRecipient(ctx, address, '2001:db9::1'), 'other networks')
  await use('unknown-mail-address', '127.0.0.1', 301)
  await t.resolves(
    requireRecipient(ctx, address, '127.0.0.1'),
    'a mail server of the operator passes on tries of others',
  )
  await idle()
})

t.test('who may post may have the address; the sender is the caller, its bot or the gateway bot', async t => {
  const channel = await channelOf(admin)
  const [full, other] = [await server.person({ date_joined: new Date(0) }), await server.person()]
  const bot = await server.person({ bot_type: 1, bot_owner_id: full.id })
  const callers: [string, Person | null, number][] = [
    ['owner', await server.person({ role: 100 }), 200],
    ['administrator', admin, 200],
    ['moderator', await server.person({ role: 300 }), 200],
    ['full member', full, 200],
    ['new member', await server.person(), 200],
    ['guest', await server.person({ role: 600 }), 400],
    ['bot', bot, 200],
    ['deactivated', await server.person({ is_active: false }), 401],
    ['none', null, 401],
  ]
  const emails = new Set<string>()
  for (const [name, caller, status] of callers) {
    const answer = await (caller ?? server.api(null)).get(`/streams/${channel}/email_address`)
    t.equal(answer.status, status, name)
    if (status === 200) emails.add(answer.body.email as string)
  }
  t.equal(emails.size, 6, 'each account has an address of its own')
  const { cross_realm_bots } = await full.ok('POST', '/register', { fetch_event_types: ['realm_user'] })
  const gateway = cross_realm_bots.find((one: Loose) => one.full_name === 'Email Gateway')
  t.ok(gateway?.is_system_bot)
  const ask = (sender_id: unknown) => full.get(`/streams/${channel}/email_address`, { sender_id } as never)
  for (const id of [full.id, bot.id, gateway.user_id]) t.match(await ask(id), { status: 200 })
  const botOfOther = await server.person({ bot_type: 1, bot_owner_id: other.id })
  const goneBot = await server.person({ bot_type: 1, bot_owner_id: full.id, is_active: false })
  const notification = cross_realm_bots.find((one: Loose) => one.full_name === 'Notification Bot')
  const refused = [other.id, botOfOther.id, goneBot.id, 999_999, notification?.user_id ?? -1, 'x']
  for (const id of refused) t.match(await ask(id), { status: 400, body: { code: 'BAD_REQUEST' } }, String(id))
  for (const id of [999_999, 'x']) {
    t.match(await full.get(`/streams/${id}/email_address`), { status: /^40[04]$/ }, String(id))
  }
  const hidden = await channelOf(admin, { invite_only: true })
  t.match(await full.get(`/streams/${hidden}/email_address`), { status: 400, body: { msg: 'Invalid channel ID' } })
  await setChannel(sql, channel, { is_archived: true })
  t.match(await full.get(`/streams/${channel}/email_address`), { status: 400, body: { code: 'BAD_REQUEST' } })
  await setUser(sql, full.id, { role: 400 })
})

t.test('a new address of a channel ends the former one, and only that of the same account and sender', async t => {
  const [owner, other] = [await server.person({ role: 100 }), await server.person({ date_joined: new Date(0) })]
  const channel = await channelOf(owner)
  const renew = async (who: Person, sender_id?: number): Promise<string> =>
    (await who.ok('POST', `/streams/${channel}/email_address`, sender_id === undefined ? {} : { sender_id })).email
  const before = await addressOf(owner, channel)
  const kept = [await addressOf(owner, channel, owner.id), await addressOf(other, channel)]
  const made = await renew(owner)
  t.not(made, before)
  t.equal(await addressOf(owner, channel), made, 'it is the same from now on')
  const answers = async (to: readonly string[]) => {
    const codes: number[] = []
    for (const one of to) codes.push((await send({ from: owner.email, to: one, text: 'hello' })).code)
    return codes
  }
  t.same(await answers([before, made, ...kept]), [550, 250, 250, 250])
  const again = await renew(owner)
  t.same(await answers([made, again]), [550, 250])
  const never = await renew(other, other.id)
  t.equal(await addressOf(other, channel, other.id), never, 'also where there was none before')
  t.same(await answers([never, ...kept]), [250, 250, 250])
  const guest = await server.person({ role: 600 })
  for (const [who, id, sender_id] of [
    [guest, channel, undefined],
    [other, channel, owner.id],
    [other, channel, 'x'],
    [other, 999_999, undefined],
    [other, 'x', undefined],
  ] as const) {
    const params = sender_id === undefined ? {} : { sender_id }
    t.match(
      await who.post(`/streams/${id}/email_address`, params as never),
      { status: /^40[04]$/ },
      `${id} ${sender_id}`,
    )
  }
  t.equal((await server.api(null).post(`/streams/${channel}/email_address`)).status, 401)
  t.same(await answers([again, never]), [250, 250], 'refused requests changed nothing')
})

t.test('another worker follows when the one that receives mail ends; without the setting none does', async t => {
  const [author, port] = [await server.person(), String(server.mailPort)]
  const to = await replyTo(author, { people: [author.id] })
  const second = await startServer(
    t,
    { ...settings, DATABASE_URL: organization.services.databaseUrl, INCOMING_MAIL_PORT: port },
    organization,
  )
  await server.stop()
  await until(async () => (await send({ from: author.email, to, text: 'taken over' }, Number(port))).code === 250)
  await until(async () => (await sql`select from jobs where kind = 'incoming-mail'`).length === 0)
  const found = await new (author.constructor as typeof Person)(author.id, author.email, author.api_key, {
    url: second.url,
    full_name: '',
  }).ok('GET', '/messages', { anchor: 'newest', num_before: 1, num_after: 0, apply_markdown: false })
  t.match(found.messages, [{ content: 'taken over' }])
  await second.stop()
  const without = await startServer(t, {}, organization)
  t.equal(without.mailPort, undefined)
  const conversation = { people: [author.id] }
  t.same(await sql.begin(tx => replyAddresses(without.ctx, tx as never, author.id, [conversation])), [null])
})
