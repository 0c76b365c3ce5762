// Every picture of this server that the API announces is served, and so is the larger form that clients derive from its address.
import t from 'tap'
import { notificationBot } from '../../server/actions/messages/system-bots.js'
import { limitGuests } from '../support/organization.js'
import { startServer } from '../support/server.js'

const server = await startServer(t, { WIRE_BRAND: 'acme' })

const fetchPicture = async (address: string) => {
  const { pathname, search } = new URL(address, server.url)
  const response = await fetch(server.url + pathname + search)
  return { status: response.status, type: response.headers.get('content-type'), bytes: await response.arrayBuffer() }
}

/** The addresses in an answer that lead to files of this server. */
function announced(value: unknown): string[] {
  if (typeof value === 'string') return /^(https?:\/\/[^/]+)?\/static\//.test(value) ? [value] : []
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(announced) : []
}

t.test('pictures in answers', async t => {
  const member = await server.person()
  const guest = await server.person({ role: 600 })
  await limitGuests(server.sql)
  await notificationBot(server.ctx)
  const answers = [
    await member.ok('POST', '/register', { client_gravatar: false }),
    await guest.ok('POST', '/register', { client_gravatar: false }),
    await server.api(null).ok('GET', '/server_settings'),
    await guest.ok('GET', '/users'),
  ]
  const addresses = [...new Set(answers.flatMap(announced))]
  for (const name of ['icon', 'logo', 'notification-bot', 'unknown-user-avatar']) {
    t.ok(
      addresses.some(address => address.includes(`/${name}.`)),
      `${name} is announced`,
    )
  }
  for (const address of addresses) {
    const { status, type, bytes } = await fetchPicture(address)
    t.equal(status, 200, address)
    t.match(type, /^image\/(png|svg\+xml)$/)
    t.ok(bytes.byteLength > 100)
  }
  for (const address of addresses.filter(address => /avatar/.test(address) && !address.includes('-medium'))) {
    t.equal((await fetchPicture(address.replace('.png', '-medium.png'))).status, 200, `the larger form of ${address}`)
  }
})

t.test('pictures that clients know by their path', async t => {
  for (const path of [
    '/static/generated/emoji/images/emoji/unicode/acme.png',
    '/static/images/loading/loader-black.svg',
    '/static/images/default-avatar.png',
    '/static/images/default-avatar-medium.png',
  ]) {
    t.equal((await fetchPicture(path)).status, 200, path)
  }
  for (const path of ['/static/images/none.png', '/static/', '/static/../package.json', '/static/images/']) {
    t.equal((await fetchPicture(path)).status, 404, path)
  }
})

t.test('the address of the names of emoji is absolute and leads to them', async t => {
  const { server_emoji_data_url } = await (await server.person()).ok('POST', '/register')
  t.match(server_emoji_data_url, /^http:\/\//)
  // The server of the test does not know its port before it listens.
  const response = await fetch(server.url + new URL(server_emoji_data_url).pathname)
  const { code_to_names } = (await response.json()) as { code_to_names: unknown }
  t.type(code_to_names, 'object')
})

t.test('links to help lead to a page', async t => {
  for (const path of ['/help', '/help/', '/help/format-your-message-using-markdown', '/help/a/b?c=d']) {
    const response = await fetch(server.url + path)
    t.equal(response.status, 200, path)
    t.match(response.headers.get('content-type'), /^text\/html/)
    t.match(response.headers.get('content-security-policy'), /default-src 'none'/)
  }
  t.equal((await fetch(`${server.url}/helpless`)).status, 404)
  t.equal((await fetch(`${server.url}/help/help.css`)).headers.get('content-type'), 'text/css; charset=utf-8')
})
