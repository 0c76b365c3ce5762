import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { ConfigError, readConfig } from '../../server/config.js'
import { sendMail } from '../../server/mail/send-mail.js'
import type { Teardown } from '../support/services.js'

const mail = { to: 'somebody@test.example', subject: 'Grüße', text: 'The text.\nIts second line.' }

/** A mail server that accepts one message, or refuses its recipient. */
async function mailServer(t: Teardown, takes: boolean): Promise<{ url: string; received: () => string }> {
  let received = ''
  const server = createServer(socket => {
    let inData = false
    socket.write('220 test\r\n')
    socket.on('data', chunk => {
      received += chunk
      if (inData) {
        if (received.endsWith('\r\n.\r\n')) socket.write('250 taken\r\n')
        return
      }
      const command = String(chunk).slice(0, 4).toUpperCase()
      inData = command === 'DATA'
      const answers: Record<string, string> = {
        DATA: '354 go on',
        QUIT: '221 bye',
        RCPT: takes ? '250 ok' : '550 unknown',
      }
      socket.write(`${answers[command] ?? '250 ok'}\r\n`)
    })
    socket.on('error', () => {})
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  return { url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`, received: () => received }
}

t.test('a mail goes to the server of SMTP_URL', async t => {
  const { url, received } = await mailServer(t, true)
  await sendMail(readConfig({ SMTP_URL: url, MAIL_FROM: 'Chat <chat@test.example>' }), mail)
  t.match(received(), 'RCPT TO:<somebody@test.example>')
  t.match(received(), 'From: Chat <chat@test.example>')
  t.match(received(), 'Its second line.')
})

t.test('a mail fails if the server refuses it or does not answer', async t => {
  const { url } = await mailServer(t, false)
  await t.rejects(sendMail(readConfig({ SMTP_URL: url }), mail))
  await t.rejects(sendMail(readConfig({ SMTP_URL: 'smtp://127.0.0.1:1' }), mail))
  t.throws(
    () => readConfig({ SMTP_URL: 'mail.example' }),
    new ConfigError('The setting SMTP_URL must be an smtp(s) address.'),
  )
})

t.test('without a mail server the mail is a file that only its owner can read', async t => {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-mail-'))
  t.teardown(() => rm(dataDir, { recursive: true }))
  await sendMail(readConfig({ DATA_DIR: dataDir }), mail)
  const [name = ''] = await readdir(join(dataDir, 'mail'))
  const file = join(dataDir, 'mail', name)
  t.equal((await stat(file)).mode & 0o777, 0o600)
  t.match(await readFile(file, 'utf8'), /^To: somebody@test\.example$/m)
})
