import type { ServerResponse } from 'node:http'
import t from 'tap'
import { isPublicAddress } from '../../server/external/address-policy.js'
import { externalLimits } from '../../server/external/external.js'
import { ExternalHosts, isExternalAddress } from '../../server/external/external-hosts.js'
import type { ResolveHost } from '../../server/external/resolve-host.js'
import { until } from '../http/until.js'
import { fetchOf, onlyThisMachine, otherHost, toOtherHosts } from '../support/external.js'

const failure = { name: 'ExternalFailure' }

t.test('a page is read with nothing of the user, and its type is that of the answer', async t => {
  let headers: NodeJS.Dict<string | string[]> = {}
  const host = await otherHost(t, (request, response) => {
    headers = request.headers
    response.setHeader('Content-Type', 'Text/HTML; charset=x')
    response.end('hello')
  })
  const { hosts } = toOtherHosts()
  const answer = await hosts.get(host.at('/a?b=c#d'), fetchOf({ headers: { accept: 'x/y' } }))
  t.match(answer, { status: 200, type: 'text/html' })
  const chunks = await answer.body.toArray()
  t.equal(Buffer.concat(chunks).toString(), 'hello')
  t.same(host.asked, ['GET /a?b=c'])
  t.same(Object.keys(headers).sort(), ['accept', 'accept-encoding', 'connection', 'host', 'user-agent'])
  t.match(headers.host, 'pictures.example')
})

t.test('redirects are followed, relative ones too, but not for ever', async t => {
  const host = await otherHost(t, (request, response) => {
    const n = Number(request.url?.slice(1))
    if (n > 0) response.writeHead(302, { Location: `/${n - 1}` })
    response.end('there')
  })
  const { hosts } = toOtherHosts()
  const answer = await hosts.get(host.at('/5'), fetchOf())
  t.match(answer, { status: 200, url: { pathname: '/0' } })
  answer.body.destroy()
  await t.rejects(hosts.get(host.at('/6'), fetchOf()), failure)
})

t.test('a name that leads into the own network is refused before a connection is made', async t => {
  const host = await otherHost(t, (_, response) => response.end())
  for (const address of ['127.0.0.1', '10.0.0.1', '::1', '::ffff:127.0.0.1', '169.254.169.254']) {
    const hosts = new ExternalHosts(isPublicAddress, async () => [address], externalLimits)
    await t.rejects(hosts.get(host.at('/'), fetchOf()), /not public/, address)
  }
  const mixed = new ExternalHosts(isPublicAddress, async () => ['8.8.8.8', '127.0.0.1'], externalLimits)
  await t.rejects(mixed.get(host.at('/'), fetchOf()), /not public/, 'one private address among public ones')
  const unknown = new ExternalHosts(isPublicAddress, async () => [], externalLimits)
  await t.rejects(unknown.get(host.at('/'), fetchOf()), failure)
  t.same(host.asked, [])
})

t.test('an address in the place of a name is checked in each of its spellings', async t => {
  const hosts = new ExternalHosts(isPublicAddress, async host => [host], externalLimits)
  for (const name of ['127.0.0.1', '2130706433', '0x7f.1', '0177.0.0.1', '127.1', '[::1]', '[::ffff:7f00:1]', '0']) {
    await t.rejects(hosts.get(`http://${name}:8080/`, fetchOf()), /not public/, name)
  }
})

t.test('a redirect into the own network is refused', async t => {
  const inside = await otherHost(t, (_, response) => response.end('secret'))
  const host = await otherHost(t, (request, response) => {
    const target = request.url === '/name' ? inside.at('/', 'inside.example') : inside.at('/', '127.0.0.2')
    response.writeHead(301, { Location: target }).end()
  })
  const resolve: ResolveHost = async name => [name === 'pictures.example' ? '127.0.0.1' : '127.0.0.2']
  const hosts = new ExternalHosts(onlyThisMachine, resolve, externalLimits)
  await t.rejects(hosts.get(host.at('/name'), fetchOf()), /not public/)
  await t.rejects(hosts.get(host.at('/address'), fetchOf()), /not public/)
  t.same(inside.asked, [])
})

t.test('a name is resolved once for a connection: a second answer of its name server changes nothing', async t => {
  const host = await otherHost(t, (_, response) => response.end())
  let asked = 0
  // The second answer would lead to an address at which nothing listens.
  const hosts = new ExternalHosts(
    onlyThisMachine,
    async () => [asked++ === 0 ? '127.0.0.1' : '127.0.0.9'],
    externalLimits,
  )
  const answer = await hosts.get(host.at('/'), fetchOf())
  answer.body.destroy()
  t.equal(asked, 1)
  await t.rejects(hosts.get(host.at('/'), fetchOf()), /not public/, 'the next fetch resolves and checks again')
})

t.test('a redirect to something that is no page of another host is refused', async t => {
  let location = ''
  const host = await otherHost(t, (_, response) => response.writeHead(302, { Location: location }).end())
  const { hosts } = toOtherHosts()
  for (location of [
    'file:///etc/passwd',
    'ftp://pictures.example/',
    'http://u:p@pictures.example/',
    'http://a.example:22/',
    'http://[x',
  ])
    await t.rejects(hosts.get(host.at('/'), fetchOf()), failure, location)
})

t.test('addresses that are never asked for', async t => {
  const bad =
    'ftp://a.example/ file:///etc/passwd javascript:alert(1) data:text/html,x //a.example/ /a a.example http://user@a.example/ ' +
    'http://user:word@a.example/ http://a.example:22/ http://a.example:25/ https://a.example:1023/ http://a.example:99999/ http://'
  for (const address of bad.split(' ')) t.notOk(isExternalAddress(address), address)
  t.notOk(isExternalAddress(`http://a.example/${'x'.repeat(2000)}`))
  for (const address of [
    'http://a.example',
    'https://a.example:443/',
    'http://a.example:8080/b?c#d',
    'https://ä.example/ö',
  ])
    t.ok(isExternalAddress(address), address)
})

t.test('a host that does not answer, breaks off, or speaks something else is a failure', async t => {
  const host = await otherHost(t, (request, response) => {
    if (request.url === '/silent') return
    if (request.url === '/cut') request.socket.destroy()
    else if (request.url === '/nonsense') request.socket.end('220 mail.example ESMTP\r\n')
    else if (request.url === '/heads') response.writeHead(200, { 'X-Long': 'x'.repeat(20_000) }).end()
    else request.socket.end('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n')
  })
  const { hosts } = toOtherHosts()
  for (const path of ['/cut', '/nonsense', '/heads', '/switch'])
    await t.rejects(hosts.get(host.at(path), fetchOf()), failure, path)
  const ending = new AbortController()
  const silent = hosts.get(host.at('/silent'), fetchOf({ signal: ending.signal }))
  ending.abort()
  await t.rejects(silent, failure)
  await t.rejects(hosts.get('http://pictures.example:1/', fetchOf()), failure)
})

t.test('as much as allowed is fetched from one host at once, by any of its names; other hosts do not wait', async t => {
  const answers: ServerResponse[] = []
  const host = await otherHost(t, (_, response) => answers.push(response))
  const addresses: Readonly<Record<string, string>> = {
    'a.example': '127.0.0.1',
    'b.example': '::ffff:127.0.0.1',
    // Nothing listens there.
    'other.example': '127.0.0.9',
  }
  const { hosts } = toOtherHosts(
    { perHost: 2 },
    async name => [addresses[name] ?? ''],
    () => true,
  )
  const bodies = ['a.example', 'b.example', 'a.example', 'b.example'].map(async (name, n) => {
    const { body } = await hosts.get(host.at(`/${n}`, name), fetchOf({ owner: `reader ${n}` }))
    return body
  })
  await until(() => answers.length === 2)
  await t.rejects(hosts.get(host.at('/', 'other.example'), fetchOf()), failure)
  await t.rejects(hosts.get(host.at('/late', 'a.example'), fetchOf({ signal: AbortSignal.timeout(50) })), {
    name: 'BusyHost',
  })
  t.equal(host.asked.length, 2)
  answers[0]?.writeHead(200)
  answers[0]?.write('begun')
  const first = await bodies[0]
  await new Promise(resolve => setImmediate(resolve))
  t.equal(host.asked.length, 2, 'a body that has begun keeps its place')
  answers[0]?.end()
  first?.resume()
  await until(() => answers.length === 3)
  answers[1]?.writeHead(200)
  answers[1]?.write('begun')
  const second = await bodies[1]
  second?.destroy()
  await until(() => answers.length === 4)
  t.notOk(host.asked.includes('GET /late'))
  for (const answer of answers.slice(2)) answer.end()
  for (const body of await Promise.all(bodies.slice(2))) body.resume()
  await until(() => hosts.places.hosts === 0)
})

t.test('a redirect to a busy host waits like any other fetch', async t => {
  const answers: ServerResponse[] = []
  const host = await otherHost(t, (request, response) => {
    if (request.url === '/to') response.writeHead(302, { Location: '/there' }).end()
    else answers.push(response)
  })
  const { hosts } = toOtherHosts({ perHost: 1 })
  const first = hosts.get(host.at('/first'), fetchOf())
  await until(() => answers.length === 1)
  const redirected = hosts.get(host.at('/to'), fetchOf())
  const second = hosts.get(host.at('/second'), fetchOf())
  answers[0]?.end()
  const { body } = await first
  body.destroy()
  await until(() => answers.length === 2)
  t.same(host.asked, ['GET /first', 'GET /to', 'GET /second'])
  answers[1]?.end()
  const answer = await second
  answer.body.destroy()
  await until(() => answers.length === 3)
  answers[2]?.end('there')
  t.match(await redirected, { url: { pathname: '/there' } })
})
