import { randomUUID } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config.js'

export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
}

// A request waits for the mail, so a slow mail server counts as a failure after this time.
const timeoutMs = 10_000

/**
 * Sends a mail through SMTP_URL. Without that setting the mail becomes a file in `DATA_DIR/mail/` for the operator. Rejects if the mail
 * server refuses the mail or does not answer.
 */
export async function sendMail(config: Pick<Config, 'smtpUrl' | 'mailFrom' | 'dataDir'>, mail: Mail): Promise<void> {
  // Imported at first use: few processes send mail.
  const { createTransport } = await import('nodemailer')
  const message = { from: config.mailFrom, ...mail }
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
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await writeFile(join(folder, `${Date.now()}-${randomUUID()}.eml`), written.message as Buffer, { mode: 0o600 })
}
