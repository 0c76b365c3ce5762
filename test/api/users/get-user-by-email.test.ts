import t from 'tap'
import { deactivate, limitGuests } from '../../support/organization.js'
import { startServer } from '../../support/server.js'
import { checkObject } from '../../support/wire-schemas.js'
import { createChannel } from './scene.js'

t.test('a user is found by its real address, whatever the case, and by its dummy one', async t => {
  const server = await startServer(t)
  const reader = await server.person()
  const other = await server.person({ email: 'Some.Body@test.example' })
  for (const address of ['some.body@TEST.example', `user${other.id}@127.0.0.1`]) {
    const { user } = await reader.ok('GET', `/users/${encodeURIComponent(address)}`)
    t.equal(user.user_id, other.id)
    t.equal(user.email, 'Some.Body@test.example')
    t.equal(user.delivery_email, 'Some.Body@test.example')
    t.equal(user.avatar_url, null, 'the client computes the address of the picture')
    t.notOk('profile_data' in user)
    t.same(checkObject('human', user), [])
  }
  const plain = await reader.ok('GET', `/users/${other.email}`, {
    client_gravatar: false,
    include_custom_profile_fields: true,
  })
  t.match(plain.user.avatar_url, /^https:\/\/.+[?&]v=1$/)
  t.same(plain.user.profile_data, {})
})

t.test('who may see an address is decided by its owner', async t => {
  const server = await startServer(t)
  const readers = {
    owner: await server.person({ role: 100 }),
    administrator: await server.person({ role: 200 }),
    moderator: await server.person({ role: 300 }),
    member: await server.person(),
    guest: await server.person({ role: 600 }),
  }
  const seen = {
    1: ['owner', 'administrator', 'moderator', 'member', 'guest'],
    2: ['owner', 'administrator', 'moderator', 'member'],
    5: ['owner', 'administrator', 'moderator'],
    3: ['owner', 'administrator'],
    4: [],
  } as const
  for (const [visibility, names] of Object.entries(seen)) {
    const target = await server.person({ email_address_visibility: Number(visibility) as 1 })
    const api = visibility === '1' ? target.email : `user${target.id}@127.0.0.1`
    for (const [name, reader] of Object.entries(readers)) {
      const sees = (names as readonly string[]).includes(name)
      const real = await reader.get(`/users/${target.email}`)
      t.equal(real.status, sees ? 200 : 400, `visibility ${visibility}, ${name}, real address`)
      if (!sees) t.equal(real.body.code, 'BAD_REQUEST')
      const dummy = await reader.ok('GET', `/users/user${target.id}@127.0.0.1`)
      t.equal(dummy.user.email, api, 'one API address for all')
      t.equal(dummy.user.delivery_email, sees ? target.email : null)
      if (!sees) t.notMatch(JSON.stringify(dummy), target.email)
    }
    const self = await target.ok('GET', `/users/${target.email}`)
    t.equal(self.user.delivery_email, target.email, 'everybody sees its own')
  }
})

t.test('deactivated users and bots are found', async t => {
  const server = await startServer(t)
  const reader = await server.person({ role: 600 })
  const gone = await server.person({ is_active: false })
  const bot = await server.person({ bot_type: 1, bot_owner_id: reader.id, email_address_visibility: 4 })
  t.equal((await reader.ok('GET', `/users/${gone.email}`)).user.is_active, false)
  const { user } = await reader.ok('GET', `/users/${bot.email}`)
  t.match(user, { is_bot: true, bot_type: 1, bot_owner_id: reader.id, delivery_email: bot.email, email: bot.email })
  t.same(checkObject('bot_user', user), [])
})

t.test('an address that no account has finds no user', async t => {
  const server = await startServer(t)
  const reader = await server.person()
  for (const address of [
    'nobody@test.example',
    'user999@127.0.0.1',
    `user${reader.id}@elsewhere.example`,
    'user99999999999@127.0.0.1',
    'no-address',
  ]) {
    const answer = await reader.get(`/users/${address}`)
    t.equal(answer.status, 400, address)
    t.equal(answer.body.code, 'BAD_REQUEST')
  }
  t.equal((await reader.get(`/users/${reader.email}`, { client_gravatar: 'yes' })).status, 400)
  t.equal((await server.api(null).get(`/users/${reader.email}`)).status, 401)
})

t.test('a guest with a limited view of users finds users who share a channel or a conversation with it', async t => {
  const server = await startServer(t)
  const guest = await server.person({ role: 600 })
  const [peer, stranger, partner, former] = [
    await server.person(),
    await server.person(),
    await server.person(),
    await server.person(),
  ]
  const bot = await server.person({ bot_type: 1 })
  await createChannel(server.sql, 'shared', [guest.id, peer.id, former.id])
  await createChannel(server.sql, 'other', [stranger.id, peer.id])
  await server.sql`insert into conversations (user_ids) values (${[guest.id, partner.id]}::int[])`
  const found = async (id: number) => (await guest.get(`/users/user${id}@127.0.0.1`)).status === 200
  t.ok(await found(stranger.id), 'at first guests know everybody')
  await limitGuests(server.sql)
  await deactivate(server.sql, former.id)
  t.ok(await found(guest.id))
  t.ok(await found(peer.id))
  t.ok(await found(partner.id))
  t.ok(await found(bot.id))
  t.notOk(await found(stranger.id))
  t.notOk(await found(former.id), 'a shared channel shows active people only')
  const [hidden, missing] = [await guest.get(`/users/${stranger.id}`), await guest.get('/users/99999')]
  t.same(hidden.body, missing.body, 'not accessible and not existing are told alike')
  const { members } = await guest.ok('GET', '/users')
  t.same(
    members.map((user: { user_id: number }) => user.user_id),
    [guest.id, peer.id, partner.id, bot.id].sort((a, b) => a - b),
  )
  const asked = await guest.ok('GET', '/users', { user_ids: [stranger.id, peer.id] })
  t.same(
    asked.members.map((user: { user_id: number }) => user.user_id),
    [peer.id],
  )
  await deactivate(server.sql, partner.id)
  t.ok(await found(partner.id), 'whom it talked to alone stays known')
})
