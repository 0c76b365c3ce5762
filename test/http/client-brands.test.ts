import t from 'tap'
import { ClientBrands } from '../../server/http/client-brands.js'
import { Api } from '../support/http.js'
import { startServer } from '../support/server.js'

function rig(brand: string) {
  const lines: string[] = []
  let now = 0
  const log = { warn: (_fields: object, text: string) => lines.push(text) } as never
  const brands = new ClientBrands(brand, log, { now: () => now })
  return { lines, note: (client: string) => brands.note(client), pass: (ms: number) => (now += ms) }
}

t.test('a client of another brand is logged once per name and ten minutes', async t => {
  const { lines, note, pass } = rig('service')
  for (const client of ['AcmeMobile', 'AcmeMobile', 'AcmeMobile', 'acme-js', 'AcmeElectron']) note(client)
  t.equal(lines.length, 3)
  for (const line of lines) t.match(line, /WIRE_BRAND=acme$/)
  pass(10 * 60_000 - 1)
  note('AcmeMobile')
  t.equal(lines.length, 3)
  pass(1)
  note('AcmeMobile')
  t.equal(lines.length, 4)
})

t.test('a name that only ends like a program is of no other brand', async t => {
  const { lines, note } = rig('service')
  for (const client of [
    'AcmeNagios',
    'acmenagios',
    'ACMENAGIOS',
    'Helios',
    'Automobile',
    'studios',
    'acmemobile',
    'Acme-Nagios',
  ]) {
    note(client)
  }
  t.same(lines, [])
  for (const client of ['AcmeiOS', 'Acme-ios', 'acme_IOS', 'ACMETerminal', 'Acme-JS', 'AcmePython']) note(client)
  t.equal(lines.length, 6)
  for (const line of lines) t.match(line, /WIRE_BRAND=acme$/)
})

t.test('a client of this brand and a program without a brand are not logged', async t => {
  const { lines, note } = rig('Acme')
  for (const client of ['AcmeMobile', 'acme-js', 'ACMETerminal', 'acme_python']) note(client)
  for (const client of ['', 'Unspecified', 'curl', 'Mozilla', 'nodejs', 'python-requests', 'mobile', 'js', 'my bot js'])
    note(client)
  t.same(lines, [])
})

t.test('a client that changes its name all the time fills no log', async t => {
  const { lines, note } = rig('service')
  for (let i = 0; i < 1000; i++) note(`Brand${i}Mobile`)
  t.equal(lines.length, 20)
  for (const client of [`${'x'.repeat(90)}Mobile`, 'a\nbMobile', '\u001b[31mMobile']) note(client)
  t.equal(lines.length, 20)
})

t.test('the server notes it where the answer has fields with the brand', async t => {
  const server = await startServer(t)
  const lines: string[] = []
  server.ctx.log.warn = ((_fields: object, text: string) => lines.push(text)) as never
  const person = await server.person()
  const as = (client: string) => new Api(server.url, person.who, `${client}/1.0 (Linux)`)
  await as('AcmeMobile').get('/users/me')
  t.same(lines, [])
  await as('AcmeMobile').ok('GET', '/server_settings')
  await as('AcmePython').ok('POST', '/register', { event_types: [], fetch_event_types: [] })
  await as('ServiceMobile').ok('GET', '/server_settings')
  t.equal(lines.length, 2)
})
