import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config.js'
import { createDirectory, inheritOwner } from '../disk/owned-paths.js'

interface Mail {
  /** The left part of its Message-ID: a mail that is sent again has the same. Absent: a new one. */
  readonly id?: string
  readonly to: string
  readonly subject: string
  readonly text: string
  /** The same as HTML. */
  readonly html?: string
  /** An address that ends mails of this kind; a mail program may offer it (RFC 8058). */
  readonly unsubscribe?: string | undefined
  /** Name and host of the organization, by which mail programs sort its notifications (RFC 2919). */
  readonly list?: { readonly name: string; readonly host: string } | undefined
  /** The left part of an id that all mails of a thread refer to. */
  readonly thread?: string | undefined
  /** Where answers are read. */
  readonly replyTo?: string | null | undefined
}

// A mail server that is silent for so long has failed.
const timeoutMs = 10_000

/**
 * Sends a mail through SMTP_URL. Without that setting the mail becomes a file in `DATA_DIR/mail/` for the operator. Rejects if the mail
 * server refuses the mail or does not answer.
 */
export async function sendMail(
  config: Pick<Config, 'smtpUrl' | 'mailFrom' | 'dataDir'>,
  { id, to, unsubscribe, list, thread, replyTo, subject, text, html }: Mail,
): Promise<void> {
  // Imported at first use: few processes send mail.
  const { createTransport } = await import('nodemailer')
  const message = {
    from: config.mailFrom,
    // As an object: a text with a comma would be two addresses.
    to: { name: '', address: to },
    subject,
    text,
    ...(html !== undefined && { html }),
    ...(replyTo && { replyTo: { name: '', address: replyTo } }),
    // No mail has this id: programs put all mails that refer to it in one thread.
    ...(thread && { inReplyTo: idIn(config, thread), references: [idIn(config, thread)] }),
    ...(list && { list: { id: { url: list.host, comment: list.name } } }),
    ...(id && { messageId: idIn(config, id) }),
    // Programs that answer mails, such as notices of absence, leave it alone (RFC 3834, and Exchange).
    headers: {
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
      ...(unsubscribe && {
        'List-Unsubscribe': { prepared: true, value: `<${unsubscribe}>` },
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
  }
  if (config.smtpUrl) {
    const transport = createTransport({
      url: config.smtpUrl,
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
    })
    await transport.sendMail(message)
    return
  }
  const written = await createTransport({ streamTransport: true, buffer: true }).sendMail(message)
  const folder = join(config.dataDir, 'mail')
  const file = join(folder, `${Date.now()}-${randomUUID()}.eml`)
  await createDirectory(folder, 0o700)
  await writeFile(file, written.message as Buffer, { mode: 0o600, flag: 'wx' })
  await inheritOwner(file)
}

/**
 * Whether the mail server has refused the recipient's address for good (RFC 3463, 5.1.x). Other refusals may be about this server, such
 * as a wrong setting, and end.
 */
export const isUnknownAddress = (failure: Error & { readonly response?: unknown }): boolean =>
  /^5\d\d[ -]5\.1\.\d/.test(String(failure.response))

const idIn = ({ mailFrom }: Pick<Config, 'mailFrom'>, id: string): string => `<${id}@${domainOf(mailFrom)}>`

/** Of an address that may have a name in front: `Parley <chat@example.com>`. */
const domainOf = (address: string): string => /@([^\s>]+)/.exec(address)?.[1] ?? 'localhost'
