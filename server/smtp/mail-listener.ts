import { readFile } from 'node:fs/promises'
import type { AddressInfo, Socket } from 'node:net'
import type { SMTPServer, SMTPServerDataStream, SMTPServerSession } from 'smtp-server'
import type { MailRecipient } from '../actions/incoming-mail/recipient.js'
import { emailGateway } from '../actions/messages/system-bots.js'
import { BoundedWork } from '../concurrency/bounded-work.js'
import type { WorkerCtx } from '../ctx.js'
import { logFailure } from '../failures/log-failure.js'
import { MailReader } from '../text/mail/mail-reader.js'
import { Connections } from './connections.js'
import type { MailCounts } from './mail-counts.js'
import { MailFiles } from './mail-files.js'
import { isAnswer, networkOfStranger, receiveMail, requireRecipient } from './receive-mail.js'
import { failed, SmtpAnswer } from './smtp-answer.js'

const mostSessions = 50
const mostOfNetwork = 10
// A mail server of the operator opens some twenty.
const mostOfOperator = 25
const mostRecipients = 20
const silentMs = 60_000
const withoutRecipientMs = 60_000
const mostWaiting = mostSessions
// How often a worker tries to listen on the port while another one does.
const retryMs = 2_000
const closeMs = 5_000

/** The part of a worker that receives mail. */
export interface MailListener {
  /** Undefined: another worker of this machine listens. */
  readonly port: number | undefined
  /** Accepts no more mail, and resolves when the sessions have ended. */
  stop(): Promise<void>
}

type Listened = NonNullable<WorkerCtx['config']['incomingMail']>

/**
 * Receives mail on a port of its own, if the settings say so. Of the workers of a machine one listens, the one that got the port; the others try again every
 * two seconds, so that one of them follows when it ends. (Not all of them: Node shares a port between processes only since version 22.12, and
 * mails are few.)
 * @param unprovenMs how long a session without a recipient may last
 * @throws if the port cannot be listened on for another reason
 */
export async function receiveMails(
  ctx: WorkerCtx,
  counts: MailCounts,
  unprovenMs = withoutRecipientMs,
): Promise<MailListener | undefined> {
  const { incomingMail } = ctx.config
  if (!incomingMail) return undefined
  // Clients learn of the account from the register answer before its first message.
  await emailGateway(ctx)
  const mostOf = (address: string) => (networkOfStranger(ctx, address) === undefined ? mostOfOperator : mostOfNetwork)
  const sessions = new Sessions(ctx, incomingMail, counts, new Connections(mostOf, unprovenMs))
  let isStopped = false
  let timer: NodeJS.Timeout | undefined
  const tryLater = () => {
    timer = setTimeout(async () => {
      try {
        if (!isStopped && !(await sessions.listen())) tryLater()
      } catch (error) {
        logFailure(ctx, error, 'this worker cannot receive mail')
        tryLater()
      }
    }, retryMs)
  }
  if (!(await sessions.listen())) tryLater()
  return {
    get port() {
      return sessions.port
    },
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await sessions.stop()
    },
  }
}

class Sessions {
  private readonly reader = new MailReader()
  /** One mail at a time is in memory. */
  private readonly reading = new BoundedWork(1, mostWaiting, 'Too many mails wait to be read.')
  /** Recipients of the mail that a session is about to send. */
  private readonly recipients = new WeakMap<SMTPServerSession, MailRecipient[]>()
  private readonly files: MailFiles
  private server: SMTPServer | undefined

  constructor(
    private readonly ctx: WorkerCtx,
    private readonly settings: Listened,
    private readonly counts: MailCounts,
    private readonly connections: Connections,
  ) {
    this.files = new MailFiles(ctx.config.dataDir, settings.mostBytes)
  }

  get port(): number | undefined {
    return (this.server?.server.address() as AddressInfo | null | undefined)?.port
  }

  /** False: another process listens on the port. */
  async listen(): Promise<boolean> {
    const server = await this.build()
    const { host, port } = this.settings
    try {
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject)
        server.listen({ host, port }, () => resolve())
      })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return false
      throw error
    }
    server.on('error', error => this.ctx.log.debug({ error: String(error) }, 'a session of incoming mail failed'))
    server.server.on('connection', (socket: Socket) => this.connections.add(socket))
    await this.files.prepare()
    this.server = server
    this.ctx.log.info({ host, port: this.port }, 'this worker receives mail')
    return true
  }

  async stop(): Promise<void> {
    const { server } = this
    if (server) await new Promise<void>(resolve => server.close(() => resolve()))
    await this.reader.stop()
  }

  private async build(): Promise<SMTPServer> {
    const { tls } = this.ctx.config
    const certificate = tls ? { cert: await readFile(tls.cert), key: await readFile(tls.key) } : undefined
    // Imported at first use: most servers receive no mail.
    const { SMTPServer } = await import('smtp-server')
    return new SMTPServer({
      name: this.settings.after.slice(this.settings.after.indexOf('@') + 1),
      banner: 'Parley',
      size: this.settings.mostBytes,
      rejectOversized: true,
      maxClients: mostSessions,
      socketTimeout: silentMs,
      closeTimeout: closeMs,
      disableReverseLookup: true,
      disabledCommands: certificate ? ['AUTH'] : ['AUTH', 'STARTTLS'],
      ...certificate,
      minVersion: 'TLSv1.2',
      onMailFrom: (_address, session, answer) => {
        this.recipients.set(session, [])
        answer()
      },
      onRcptTo: ({ address }, session, answer) => void this.addRecipient(address, session).then(answer, answer),
      onData: (stream, session, answer) => {
        this.take(stream, session).then(
          () => answer(null, 'The mail is accepted'),
          error => answer(error),
        )
      },
    })
  }

  private async addRecipient(address: string, session: SMTPServerSession): Promise<undefined> {
    try {
      const found = this.recipients.get(session) ?? []
      if (found.length >= mostRecipients) throw new SmtpAnswer(452, 'Too many recipients')
      const recipient = await requireRecipient(this.ctx, address, session.remoteAddress)
      found.push(recipient)
      this.recipients.set(session, found)
      this.connections.keep(session)
    } catch (error) {
      throw this.answerTo(error)
    }
  }

  private async take(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<void> {
    const { mailFrom } = session.envelope
    const recipients = this.recipients.get(session) ?? []
    try {
      const outcomes = await this.files.keep(stream, async read => {
        if (stream.sizeExceeded) throw new SmtpAnswer(552, 'The mail is too long')
        const envelopeFrom = mailFrom ? mailFrom.address : ''
        return this.reading.run(async () =>
          receiveMail(this.ctx, this.reader, { envelopeFrom, recipients, source: await read() }),
        )
      })
      for (const outcome of outcomes) this.counts.outcomes[outcome]++
    } catch (error) {
      throw this.answerTo(error)
    }
  }

  /** What the mail server learns of a failure; the log has the rest. */
  private answerTo(error: unknown): SmtpAnswer {
    if (isAnswer(error)) {
      this.counts.outcomes.refused++
      return error
    }
    this.counts.outcomes.failed++
    logFailure(this.ctx, error, 'a mail was not accepted: its server sends it again')
    return failed()
  }
}
