import { randomUUID } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config.js'

export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
}

// A request waits for it: what takes longer had better fail, and be logged.
const patienceMs = 10_000

/**
 * Sends a mail through SMTP_URL. Without that setting it is written to `DATA_DIR/mail/`, a file each, for whoever runs the
 * server. Fails when the mail server refuses it or does not answer.
 */
export async function sendMail(config: Pick<Config, 'smtpUrl' | 'mailFrom' | 'dataDir'>, mail: Mail): Promise<void> {
  // Few processes ever send one.
  const { createTransport } = await import('nodemailer')
  const message = { from: config.mailFrom, ...mail }
  if (config.smtpUrl) {
    const transport = createTransport({
      url: config.smtpUrl,
      connectionTimeout: patienceMs,
      greetingTimeout: patienceMs,
      socketTimeout: patienceMs,
    })
    await transport.sendMail(message)
    return
  }
  const written = await createTransport({ streamTransport: true, buffer: true }).sendMail(message)
  const folder = join(config.dataDir, 'mail')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await writeFile(join(folder, `${Date.now()}-${randomUUID()}.eml`), written.message as Buffer, { mode: 0o600 })
}
