import { createHash } from 'node:crypto'
import t, { type Test } from 'tap'
import { setOrganization } from '../../support/organization.js'
import { startServer } from '../../support/server.js'
import { checkObject } from '../../support/wire-schemas.js'

const server = await startServer(t)
await setOrganization(server.sql, { enable_spectator_access: true })
const owner = await server.person({ role: 100 })
const author = await server.person({ email_address_visibility: 1 })
const bot = await server.person({ bot_type: 1, bot_owner_id: author.id })
const { id: channel } = await owner.ok('POST', '/channels/create', {
  name: 'open',
  subscribers: [author.id, bot.id],
  is_web_public: true,
})
const visitor = server.api(null)
const open = [{ operator: 'channels', operand: 'web-public' }]
const page = { anchor: 'newest', num_before: 10, num_after: 0, narrow: open }
const everyone = [owner, author, bot]
const dummy = (id: number) => `user${id}@${server.ctx.realmHost}`
const hash = (email: string) => createHash('md5').update(email).digest('hex')

function showsNoAddress(t: Test, answer: unknown): void {
  const text = JSON.stringify(answer)
  for (const { email } of everyone) {
    t.notOk(text.includes(email), email)
    t.notOk(text.includes(hash(email)), `the hash of ${email}`)
  }
}

t.before(async () => {
  for (const who of [author, bot]) {
    await who.ok('POST', '/messages', { type: 'channel', to: channel, topic: 'hello', content: 'from me' })
  }
})

t.test('a spectator sees no address of a user or a bot, whatever they show to accounts', async t => {
  const { members } = await visitor.ok('GET', '/users')
  t.equal(members.length, everyone.length)
  for (const user of members) {
    t.match(user, { email: dummy(user.user_id), delivery_email: null })
    t.same(checkObject('user', user), [])
  }
  showsNoAddress(t, members)
  const state = await visitor.ok('POST', '/register', {})
  t.ok(JSON.stringify(state).includes(dummy(author.id)))
  showsNoAddress(t, state)
})

t.test('nor in messages, also when accounts asked for them before', async t => {
  for (let round = 0; round < 2; round++) {
    const own = await author.ok('GET', '/messages', page)
    t.same(
      own.messages.map((one: { sender_email: string }) => one.sender_email).sort(),
      [author.email, bot.email].sort(),
    )
    const shown = await visitor.ok('GET', '/messages', page)
    t.match(shown.messages, [{ sender_email: dummy(author.id) }, { sender_email: dummy(bot.id) }])
    showsNoAddress(t, shown.messages)
    const { message } = await visitor.ok('GET', `/messages/${shown.messages[0].id}`)
    t.equal(message.sender_email, dummy(author.id))
    showsNoAddress(t, message)
  }
})

t.test('nor in the address of a picture', async t => {
  for (const { id, email } of everyone) {
    const picture = await fetch(`${server.url}/avatar/${id}`, { redirect: 'manual' })
    t.match(picture.headers.get('location'), new RegExp(hash(dummy(id))))
    t.notMatch(picture.headers.get('location'), new RegExp(hash(email)))
  }
})

t.test('nor by a guess: a narrow finds no user by a real address', async t => {
  const narrow = (sender: string) => ({ ...page, narrow: [...open, { operator: 'sender', operand: sender }] })
  for (const email of [author.email, bot.email]) {
    t.match(await visitor.get('/messages', narrow(email)), { status: 400, body: { code: 'BAD_NARROW' } })
    t.equal((await owner.ok('GET', '/messages', narrow(email))).messages.length, 1)
  }
  t.equal((await visitor.ok('GET', '/messages', narrow(dummy(author.id)))).messages.length, 1)
})
