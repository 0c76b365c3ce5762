import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { get } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { createTransport } from 'nodemailer'
import t from 'tap'
import { readConfig } from '../../../server/config.js'
import { requireUsableCertificate } from '../../../server/supervisor/tls-files.js'
import { SocketClient } from '../../protection/socket.js'
import { basic } from '../../support/http.js'
import { freePort } from '../../support/nginx.js'
import { spawnServer } from '../../support/server.js'

const directory = await mkdtemp(join(tmpdir(), 'parley-tls-'))
t.teardown(() => rm(directory, { recursive: true, force: true }))
const file = (name: string) => join(directory, name)

/** A certificate for this machine, made by the machine's own openssl. */
function makeCertificate(name: string): { TLS_CERT: string; TLS_KEY: string } {
  const [cert, key] = [file(`${name}.crt`), file(`${name}.key`)]
  execFileSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-nodes',
      '-days',
      '2',
      '-subj',
    ].concat([`/CN=${name}`, '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1', '-keyout', key, '-out', cert]),
    { stdio: 'ignore' },
  )
  return { TLS_CERT: cert, TLS_KEY: key }
}

const first = makeCertificate('first')
const second = makeCertificate('second')
const used = { TLS_CERT: file('used.crt'), TLS_KEY: file('used.key') }
async function use({ TLS_CERT, TLS_KEY }: typeof first) {
  await Promise.all([copyFile(TLS_CERT, used.TLS_CERT), copyFile(TLS_KEY, used.TLS_KEY)])
}
await use(first)
const ca = [await readFile(first.TLS_CERT), await readFile(second.TLS_CERT)]
const mailPort = await freePort()
const server = await spawnServer(t, {
  ...used,
  INCOMING_MAIL_ADDRESS: 'in+%s@localhost',
  INCOMING_MAIL_PORT: String(mailPort),
})
const { port } = new URL(server.url)

/** The name in the certificate that the server shows now, and the version that was agreed on. */
async function hello(options: { maxVersion?: 'TLSv1.1' | 'TLSv1.2'; minVersion?: 'TLSv1' } = {}) {
  const socket = connect({ port: Number(port), host: '127.0.0.1', ca, ciphers: 'ALL:@SECLEVEL=0', ...options })
  await once(socket, 'secureConnect')
  const seen = { name: socket.getPeerCertificate().subject.CN, version: socket.getProtocol() }
  socket.destroy()
  return seen
}

t.test('the address is https from the start, and answers say to stay with it', async t => {
  t.match(server.url, /^https:\/\/127\.0\.0\.1:\d+$/)
  const person = await server.person()
  const response = await new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
    get(`${server.url}/api/v1/users/me`, { ca, agent: false, headers: { Authorization: basic(person) } }, resolve).on(
      'error',
      reject,
    )
  })
  response.resume()
  t.equal(response.statusCode, 200)
  t.equal(response.headers['strict-transport-security'], 'max-age=31536000')
})

t.test('sockets, too', async t => {
  const person = await server.person()
  const socket = await SocketClient.connect(server.url, { Authorization: basic(person) }, { ca })
  socket.send({ op: 'request', id: 1, method: 'GET', path: '/users/me' })
  t.match(await socket.reply(1), { status: 200, body: { user_id: person.id } })
  socket.socket.close()
})

t.test('nothing below TLS 1.2, and nothing in the clear', async t => {
  t.equal((await hello()).version, 'TLSv1.3')
  t.equal((await hello({ maxVersion: 'TLSv1.2' })).version, 'TLSv1.2')
  await t.rejects(hello({ minVersion: 'TLSv1', maxVersion: 'TLSv1.1' }))
  await t.rejects(fetch(`http://127.0.0.1:${port}/api/v1/server_settings`))
})

t.test('mail, too, after STARTTLS with the same certificate', async t => {
  const send = (options: object) => {
    const transport = createTransport({ host: '127.0.0.1', port: mailPort, requireTLS: true, tls: { ca }, ...options })
    return transport
      .sendMail({ from: 'a@test.example', to: 'in+mm0@localhost', text: 'x' })
      .finally(() => transport.close())
  }
  // The recipient is unknown, and that is the answer over TLS.
  await t.rejects(send({}), { message: /550/ })
  await t.rejects(send({ tls: { ca: [] } }), { message: /certificate/ })
  await t.rejects(send({ tls: { ca, ciphers: 'ALL:@SECLEVEL=0', minVersion: 'TLSv1', maxVersion: 'TLSv1.1' } }), {
    message: /protocol version|alert|socket/i,
  })
})

t.test('a renewed certificate is taken when the workers are replaced', async t => {
  t.equal((await hello()).name, 'first')
  await use(second)
  server.process.kill('SIGUSR2')
  while ((await hello()).name !== 'second') await new Promise(resolve => setTimeout(resolve, 100))
  t.pass('without a restart of the whole')
})

t.test('a certificate that cannot be used stops the start with a sentence', async t => {
  const attempt = (settings: Record<string, string>) => () => requireUsableCertificate(readConfig(settings))
  t.doesNotThrow(attempt({ ...first }))
  t.doesNotThrow(attempt({}))
  t.throws(attempt({ TLS_CERT: first.TLS_CERT }), { message: /TLS_CERT and TLS_KEY go together/ })
  t.throws(attempt({ TLS_KEY: first.TLS_KEY }), { message: /TLS_CERT and TLS_KEY go together/ })
  t.throws(attempt({ ...first, TLS_KEY: file('none') }), {
    message: /^The setting TLS_KEY names a file that cannot be read/,
  })
  t.throws(attempt({ ...first, TLS_CERT: file('none') }), { message: /^The setting TLS_CERT names a file/ })
  t.throws(attempt({ ...first, TLS_KEY: second.TLS_KEY }), { message: /do not fit together/ })
  await writeFile(file('rubbish'), 'no certificate')
  t.throws(attempt({ ...first, TLS_CERT: file('rubbish') }), { message: /do not fit together/ })
  for (const [setting, value] of [
    ['TRUSTED_PROXIES', '10.0.0.0/33'],
    ['TRUSTED_PROXIES', 'proxy.example'],
    ['TRUSTED_PROXIES', '10.0.0.0/8/8'],
    ['RATE_LIMIT_USER', '-1'],
    ['RATE_LIMIT_ADDRESS', 'many'],
    ['MAX_SOCKETS_USER', '1.5'],
  ] as const) {
    t.throws(
      () => readConfig({ [setting]: value }),
      { message: new RegExp(`^The setting ${setting} `) },
      `${setting}=${value}`,
    )
  }
})

t.test('limits protect where others can come, and are out of the way where they cannot', async t => {
  for (const settings of [
    { HOST: '0.0.0.0' },
    { HOST: '::' },
    { HOST: '10.0.0.5' },
    { TRUSTED_PROXIES: '127.0.0.1' },
  ]) {
    t.match(readConfig(settings), {
      rateLimitUser: 1200,
      rateLimitAddress: 300,
      signInLimitAddress: 50,
      maxSocketsUser: 200,
    })
  }
  for (const settings of [{}, { HOST: 'localhost' }, { HOST: '::1' }, { HOST: '127.0.0.2' }]) {
    t.match(readConfig(settings), {
      rateLimitUser: 1_000_000,
      rateLimitAddress: 0,
      signInLimitAddress: 0,
      maxSocketsUser: 0,
    })
  }
  t.match(readConfig({ HOST: '0.0.0.0', RATE_LIMIT_USER: '0', MAX_QUEUES_USER: '7' }), {
    rateLimitUser: 0,
    maxQueuesUser: 7,
  })
})
