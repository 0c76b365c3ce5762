import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import type { z } from 'zod'
import { factorChanges, type MailContent, mail, missedReasons } from '../../server/job-types/mail.js'
import { composeMail } from '../../server/mail/compose-mail.js'
import { sendMail } from '../../server/mail/send-mail.js'
import { mailLanguages } from '../../server/mail/template.js'
import { newMails } from '../support/mails.js'
import { startServer } from '../support/server.js'

const sender = { organization: 'Acme & <Sons>', url: 'https://chat.example' }
const hostile = `x\r\nBcc: all@chat.example\r\n\r\n<script>alert("1")</script>`

const missed = (given: Partial<Extract<MailContent, { kind: 'missed_messages' }>>): MailContent => ({
  kind: 'missed_messages',
  conversation: { type: 'channel', channelId: 1, channel: hostile, topic: hostile },
  messages: [{ id: 1, sender: hostile, time: 1_800_000_000, html: `<p>${hostile}</p>`, isContext: true }],
  others: 0,
  reason: 'mention',
  namesOrganization: false,
  zone: '',
  replyTo: null,
  ...given,
})

/** Each kind of mail, with values that are markup and headers. */
const contents: readonly MailContent[] = [
  { kind: 'address_confirmation', account: hostile, key: 'k' },
  { kind: 'address_changed', account: hostile, address: hostile },
  { kind: 'address_taken', account: hostile },
  { kind: 'deactivation', account: 'a@chat.example', comment: `Bye.\n${hostile}` },
  { kind: 'account_exists', account: hostile, isActive: true },
  { kind: 'account_exists', account: 'a@chat.example', isActive: false },
  {
    kind: 'digest',
    topics: [
      {
        channelId: 1,
        channel: hostile,
        topic: hostile,
        messages: [{ id: 1, sender: hostile, time: 1_800_000_000, html: `<p>${hostile}</p>` }],
        others: 1,
        senders: [hostile],
      },
    ],
    channels: [{ channelId: 1, name: hostile }],
    moreChannels: 1,
    zone: '',
  },
  ...factorChanges.map(change => ({ kind: 'factor_change' as const, account: hostile, change, subject: hostile })),
  { kind: 'found_account', account: hostile, state: 'active' },
  { kind: 'found_account', account: 'a@chat.example', state: 'deactivated' },
  { kind: 'found_account', account: 'a@chat.example', state: 'none' },
  { kind: 'invitation', inviter: hostile, key: 'k', expires: 1_800_000_000 },
  { kind: 'invitation_reminder', inviter: hostile, key: 'k', expires: null },
  { kind: 'join', key: 'k' },
  ...missedReasons.map(reason => missed({ reason })),
  missed({ contentHidden: 'account' }),
  missed({ contentHidden: 'organization', namesOrganization: true }),
  { kind: 'new_password', password: hostile },
  { kind: 'organization_deactivated', by: hostile, deletion_due: '2030-01-02T03:04:05.000Z' },
  { kind: 'organization_deactivated', by: hostile, deletion_due: null },
  { kind: 'organization_reactivation', key: 'k' },
  {
    kind: 'retention_shortened',
    applies: '2030-01-02T03:04:05.000Z',
    places: [{ channel: hostile, days: 1 }],
    others: 1,
    messages: 2,
    oldest: '2030-01-02T03:04:05.000Z',
    files: 1,
    mib: 1,
  },
  { kind: 'sign_in', account: hostile, address: hostile, device: hostile, time: '2030-01-02T03:04:05.000Z', zone: '' },
  ...[0, 1, 2, 3].flatMap(number =>
    [true, false].map(isAdministrator => ({ kind: 'welcome' as const, number, account: hostile, isAdministrator })),
  ),
  { kind: 'password_link', account: hostile, userId: 1, key: 'k' },
  { kind: 'password_without_account', account: hostile, isDeactivated: true },
  { kind: 'password_without_account', account: 'a@chat.example', isDeactivated: false },
]

/** The kinds that a job may have. */
function kinds(): string[] {
  const [composed] = (mail.payload as unknown as z.ZodUnion<[z.ZodObject]>).options
  const { options } = composed.shape.content as z.ZodDiscriminatedUnion<z.ZodObject[]>
  return options.map(one => (one.shape.kind as z.ZodLiteral<string>).value)
}

t.test('each kind of mail escapes what it inserts, in each language and in both forms', async t => {
  t.same([...new Set(contents.map(one => one.kind))].sort(), kinds().sort(), 'each kind is here')
  for (const content of contents) {
    const texts = mailLanguages.map(language => composeMail(content, language, sender).text)
    t.equal(new Set(texts).size, mailLanguages.length, `${content.kind}: each language has words of its own`)
    for (const language of mailLanguages) {
      const { subject, text, html } = composeMail(content, language, sender)
      t.notMatch(subject, /[\r\n]/)
      t.notMatch(text, /^Bcc:/m, `${content.kind} has no line that a person wrote as if the server had`)
      t.notMatch(html, /<script|<Sons>/)
      t.match(html, `<html lang="${language}">`)
      t.match(html, 'Acme &amp; &lt;Sons&gt;')
      t.match(text, 'Acme & <Sons> · https://chat.example')
    }
  }
})

t.test('the language is the reader’s, and English where no template has it', async t => {
  const subjectIn = (language: string) => composeMail({ kind: 'new_password', password: 'p' }, language, sender).subject
  for (const code of ['de', 'de-at', 'DE_ch']) t.match(subjectIn(code), 'Dein neues Passwort')
  for (const code of ['en', 'zh-hans', '', 'constructor']) t.match(subjectIn(code), 'Your new password')
})

t.test('a line break in a name is no header, and a comma in an address no second reader', async t => {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-mail-'))
  t.teardown(() => rm(dataDir, { recursive: true }))
  const config = { smtpUrl: undefined, mailFrom: 'Chat <chat@chat.example>', dataDir }
  const server = await startServer(t)
  const mails = newMails(server.sql, dataDir)
  const words = { subject: `Hello ${hostile}`, text: 'Text', html: '<p>Grüße</p>' }
  await sendMail(config, { to: 'one@chat.example, two@chat.example', ...words })
  const [one] = await mails()
  const head = one?.source.split(/\r?\n\r?\n/)[0] ?? ''
  t.notMatch(head, /^(Bcc|Cc):/im)
  t.equal([...head.matchAll(/^To:/gim)].length, 1)
  t.match(head, /^Auto-Submitted: auto-generated$/m)
  t.match(one, { text: /^Text/, html: /<p>Grüße<\/p>/ })
  t.notMatch(head, /^To: one@chat\.example, two@chat\.example$/m)
})

t.test('a mail that an earlier version has stored with finished words is sent', async t => {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-mail-'))
  t.teardown(() => rm(dataDir, { recursive: true, force: true }))
  const server = await startServer(t, { DATA_DIR: dataDir })
  const mails = newMails(server.sql, dataDir)
  const finished = { to: 'a@test.example', subject: 'An old one', text: 'Its text' }
  await server.ctx.write(async (_tx, _emit, { after }) => after(mail, finished))
  t.match(await mails(), [{ to: 'a@test.example', subject: 'An old one', text: /^Its text/, html: '' }])
})

t.test('a person reads mails in the language of its account', async t => {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-mail-'))
  t.teardown(() => rm(dataDir, { recursive: true, force: true }))
  const server = await startServer(t, { DATA_DIR: dataDir })
  const mails = newMails(server.sql, dataDir)
  const [owner, person] = [await server.person({ role: 100 }), await server.person()]
  await person.ok('PATCH', '/settings', { default_language: 'de' })
  await owner.ok('DELETE', `/users/${person.id}`, { deactivation_notification_comment: 'Tschüss <b>' })
  const [one, ...rest] = await mails()
  t.same(rest, [])
  t.match(one, { to: person.email, subject: /^Dein Konto bei .* ist deaktiviert$/, text: /> Tschüss <b>/ })
  t.match(one?.html, 'Tschüss &lt;b&gt;')
})
