import type { Ctx } from '../../ctx.js'
import { incomingMail } from '../../job-types/incoming-mail.js'
import { addNotices } from '../../job-types/notice.js'
import { noteReceived, receivedKey, wasReceived } from '../../store/incoming-mail/received-mails.js'
import type { UserRow } from '../../store/users/users.js'
import { truncate } from '../../text/content.js'
import { fitted } from '../../text/mail/fitted.js'
import type { ReadMail, TextOptions } from '../../text/mail/read-mail.js'
import type { InLanguages } from '../../text/page-language.js'
import { plainMarkdown } from '../../text/quote.js'
import { emailGateway } from '../messages/system-bots.js'
import { languageOfReader } from '../notice-language.js'
import { isAutomatic } from './is-automatic.js'
import { placeOf, senderLine, topicOf } from './mail-texts.js'
import type { MailRecipient } from './recipient.js'
import { storeAttachments } from './store-attachments.js'

/** What became of a mail at one address. `repeated`: it was accepted before. `dropped`: a program wrote it. `foreign`: it is not shown to be from the account that replies. */
export type MailOutcome = 'accepted' | 'repeated' | 'dropped' | 'foreign'

/** How the text of a mail to this address is read. */
export const textOptionsOf = ({ options }: MailRecipient): TextOptions => ({
  includeQuotes: options.has('include-quotes'),
  includeFooter: options.has('include-footer'),
  prefersHtml: options.has('prefer-html'),
})

/**
 * Takes a mail for one address: when it resolves, a job is committed that makes it a message. A mail with the same Message-ID has no further effect.
 * @param text of the mail, for the options of the address
 * @throws what the database and the store of files throw: the mail server sends the mail again later
 */
export async function acceptMail(ctx: Ctx, to: MailRecipient, mail: ReadMail, text: string): Promise<MailOutcome> {
  const { target, user } = to
  const key = receivedKey(to.token, mail.messageId)
  if (await wasReceived(ctx.sql, key)) return 'repeated'
  const own = { organization: ctx.directory.organization, host: ctx.realmHost }
  if (isAutomatic(mail, target.purpose, own)) return 'dropped'
  const isForeign = target.purpose === 'reply' && !isFrom(user, mail)
  const message = isForeign ? undefined : await messageOf(ctx, to, mail, text)
  return ctx.write(async (tx, _emit, { after }) => {
    if (!(await noteReceived(tx, key))) return 'repeated'
    if (message) after(incomingMail, message, { key: `incoming mail ${user.id}` })
    else addNotices(after, [foreignNotice(ctx, user, mail)])
    return message ? 'accepted' : 'foreign'
  })
}

async function messageOf(ctx: Ctx, { target, user, options }: MailRecipient, mail: ReadMail, text: string) {
  const isReply = target.purpose === 'reply'
  const sender = isReply ? user : await channelSender(ctx, target.sender_id)
  const files = await storeAttachments(ctx, sender, mail.attachments)
  const head = !isReply && options.has('show-sender') ? senderLine(mail.from) : ''
  return {
    user_id: user.id,
    sender_id: sender.id,
    to: isReply ? placeOf(target) : { channel: target.channel_id, topic: topicOf(mail.subject) },
    // A reply without any text is refused as an empty message, and its author learns of it.
    content: fitted(head, text === '' && files === '' && !isReply ? '(No email body)' : text, files),
    subject: mail.subject,
  }
}

async function channelSender(ctx: Ctx, senderId: number | null): Promise<UserRow> {
  const sender = senderId === null ? undefined : ctx.directory.users.get(senderId)
  // A bot that was deactivated since is refused when the message is sent.
  return sender ?? emailGateway(ctx)
}

/**
 * People who have the mail, for example because it was forwarded to them, also have the address. They are refused unless they forge `From` and no mail
 * server on the way notes it.
 */
const isFrom = (user: UserRow, { from, failsDmarc }: ReadMail): boolean =>
  !failsDmarc && plain(user.delivery_email) === plain(from.address)

/** Without the part behind a plus, which many people add to tell mails apart. */
const plain = (address: string): string => address.toLowerCase().replace(/\+[^@]*(?=@)/, '')

const foreign: InLanguages<(from: string, subject: string) => string> = {
  en: (from, subject) =>
    `A reply by mail from ${from} to your conversation was not posted, because it did not come from your own address, or a mail server found that its sender may be forged. Subject: ${subject}`,
  de: (from, subject) =>
    `Eine Antwort per E-Mail von ${from} auf deine Unterhaltung wurde nicht gesendet, weil sie nicht von deiner eigenen Adresse kam oder ein Mailserver ihren Absender für gefälscht hält. Betreff: ${subject}`,
}

const foreignNotice = ({ directory }: Ctx, user: UserRow, { from, subject }: ReadMail) => ({
  to: { people: [user.id] },
  content: foreign[languageOfReader(directory, user)](
    plainMarkdown(truncate(from.address, 254, '…')),
    plainMarkdown(truncate(subject, 200, '…')),
  ),
})
