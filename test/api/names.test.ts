import t from 'tap'
import { notificationBot } from '../../server/actions/messages/system-bots.js'
import { setChannel, setOrganization } from '../support/organization.js'
import { startServer } from '../support/server.js'

const server = await startServer(t)
const second = await startServer(t, {}, server.organization)
const owner = await server.person({ role: 100 })
const member = await server.person()

const makeChannel = (name: string) => member.post('/channels/create', { name, subscribers: [member.id] })
const nameOf = async (id: number): Promise<string> => (await member.ok('GET', `/streams/${id}`)).stream.name

t.test('a channel is named in NFC, with single spaces, without what shows nothing', async t => {
  const { body } = await makeChannel(' cafe\u0301\u200b  \u00a0corner\u202e ')
  t.equal(await nameOf(body.id), 'caf\u00e9 corner')
  await member.ok('PATCH', `/streams/${body.id}`, { new_name: 'cafe\u0301  garden' })
  t.equal(await nameOf(body.id), 'caf\u00e9 garden')
  for (const name of ['\u200b', '\u3164\u2800', 'a\u0007', 'a\ue000', 'a\u0378']) {
    t.match(await makeChannel(name), { status: 400, body: { code: 'BAD_REQUEST' } }, JSON.stringify(name))
  }
})

t.test('a name that looks like the one of another channel is taken, whatever makes the channel', async t => {
  const { body } = await makeChannel('planning')
  const other = (await makeChannel('something else')).body.id
  const taken = { status: 409, body: { code: 'CHANNEL_ALREADY_EXISTS' } }
  for (const name of ['planning\u200b', 'PLANNING', 'pl\u0430nning', '\uff50lanning', 'p1anning']) {
    t.match(await makeChannel(name), taken, JSON.stringify(name))
    t.match(await member.patch(`/streams/${other}`, { new_name: name }), taken, JSON.stringify(name))
  }
  const subscriptions = [{ name: 'pl\u0430nning' }]
  t.match(await member.post('/users/me/subscriptions', { subscriptions }), taken)
  const both = [{ name: 'two of a kind' }, { name: 'tw\u043e of a kind' }]
  t.match(await member.post('/users/me/subscriptions', { subscriptions: both }), taken, 'of one request')
  await member.ok('PATCH', `/streams/${body.id}`, { new_name: 'pl\u0430nning' })
  t.equal((await makeChannel('plannings')).status, 200)
})

t.test('of look-alikes that are made at once, through two workers, one is made', async t => {
  const names = ['canyon', 'cany\u043en', 'canyon\u200b', 'cany\u03bfn', '\uff43anyon', 'cany\u00adon']
  const answers = await Promise.all(
    names.map((name, i) => (i % 2 ? second : server).api(member).post('/channels/create', { name, subscribers: [] })),
  )
  t.same(answers.map(answer => answer.status).sort(), [200, 409, 409, 409, 409, 409])
})

t.test('a channel is found by any spelling of its name', async t => {
  const { body } = await makeChannel('d\u00e9p\u00f4t two')
  const spelled = 'de\u0301po\u0302t  two'
  t.equal((await member.ok('GET', '/get_stream_id', { stream: spelled })).stream_id, body.id)
  const { already_subscribed } = await member.ok('POST', '/users/me/subscriptions', {
    subscriptions: [{ name: spelled }],
  })
  t.same(already_subscribed[member.id], ['d\u00e9p\u00f4t two'])
  const { id } = await member.ok('POST', '/messages', { type: 'channel', to: spelled, topic: 'x', content: 'found' })
  const narrow = [{ operator: 'channel', operand: spelled }]
  const search = { narrow, anchor: 'newest', num_before: 1, num_after: 0 }
  t.match((await member.ok('GET', '/messages', search)).messages, [{ id }])
  const { rendered } = await member.ok('POST', '/messages/render', { content: `#**${spelled}**` })
  t.match(rendered, />#d\u00e9p\u00f4t two<\/a>/)
  await member.ok('DELETE', '/users/me/subscriptions', { subscriptions: [spelled] })
})

t.test('a channel whose name was stored before names were cleaned stays, and is found by that', async t => {
  const { body } = await makeChannel('attic room')
  await setChannel(server.sql, body.id, { name: 'attic  room' })
  t.equal(await nameOf(body.id), 'attic  room')
  t.equal((await member.ok('GET', '/get_stream_id', { stream: 'attic  room' })).stream_id, body.id)
  const subscriptions = [{ name: 'attic  room' }]
  const { already_subscribed } = await member.ok('POST', '/users/me/subscriptions', { subscriptions })
  t.same(already_subscribed[member.id], ['attic  room'])
  t.equal((await makeChannel('attic room')).status, 409)
})

t.test('a user group has a clean name that looks like no other one', async t => {
  const make = (name: string) => owner.post('/user_groups/create', { name, description: '', members: [] })
  const { id } = (await make(' re\u0301view\u200b  team ')).body as { id?: number }
  const { user_groups } = await owner.ok('GET', '/user_groups')
  t.ok(
    user_groups.some((group: { name: string }) => group.name === 'r\u00e9view team'),
    `${id}`,
  )
  for (const name of ['re\u0301view team', 'r\u00e9vi\u0435w team', 'r\u00e9view\u200b team', '\u200b', 'x\ue000']) {
    t.match(await make(name), { status: 400, body: { code: 'BAD_REQUEST' } }, JSON.stringify(name))
  }
  const other = (await make('another team')).body
  t.equal(
    (await owner.patch(`/user_groups/${other.id ?? other.group_id}`, { name: 'r\u00e9vi\u0435w team' })).status,
    400,
  )
  t.equal((await make('R\u00e9view team')).status, 200, 'names of groups may differ in case')
  const answers = await Promise.all(
    ['harbour', 'h\u0430rbour', 'harbour\u2060'].map((name, i) =>
      (i % 2 ? second : server).api(owner).post('/user_groups/create', { name, description: '', members: [] }),
    ),
  )
  t.same(answers.map(answer => answer.status).sort(), [200, 400, 400])
})

t.test('people have clean names; where names are unique, also to the eye', async t => {
  const rename = (who: typeof member, full_name: string) => who.patch('/settings', { full_name })
  const [one, other] = [await server.person(), await server.person()]
  t.equal((await rename(one, 'Rene\u0301\u200b  \u00c5sa')).status, 200)
  t.match((await member.ok('GET', `/users/${one.id}`)).user, { full_name: 'Ren\u00e9 \u00c5sa' })
  for (const name of ['\u200b\u200b\u200b', 'a\u0000b', 'ab\ue000']) t.equal((await rename(one, name)).status, 400)
  t.equal((await rename(other, 'Ren\u0435\u0301 \u00c5sa')).status, 200, 'not unique here')
  await rename(other, 'Somebody Else')
  await setOrganization(server.sql, { require_unique_names: true })
  for (const name of [
    'Ren\u0435\u0301 \u00c5sa',
    'ren\u00e9  \u00e5sa',
    'Rene\u0301 \u00c5s\u0430',
    'Ren\u00e9\u200b \u00c5sa',
  ]) {
    t.match(await rename(other, name), { status: 400, body: { code: 'BAD_REQUEST' } }, JSON.stringify(name))
  }
  const made = {
    email: 'namesake@test.example',
    password: 'a long enough pass phrase 71',
    full_name: 'Ren\u00e9 \u00c5s\u0430',
  }
  t.equal((await owner.post('/users', made)).status, 400)
  const answers = await Promise.all(
    [one, other].map((who, i) =>
      (i % 2 ? second : server).api(who).patch('/settings', { full_name: i ? 'Tw\u0456n' : 'Twin' }),
    ),
  )
  t.same(answers.map(answer => answer.status).sort(), [200, 400])
  await setOrganization(server.sql, { require_unique_names: false })
})

t.test(
  'by default people may have the same name, but only administrators give the name of an administrator',
  async t => {
    const chief = await server.person({ role: 100, full_name: 'Olga Chief' })
    const admin = await server.person({ role: 200, full_name: 'Alice Admin' })
    const [one, other] = [await server.person(), await server.person()]
    const bot = await server.person({ bot_type: 1, bot_owner_id: one.id })
    const rename = (who: typeof member, full_name: string) => who.patch('/settings', { full_name })
    const refusal = { status: 400, body: { code: 'BAD_REQUEST', msg: /looks like that of an administrator/ } }
    const taken = [
      'Olga Chief',
      ' olga  CHIEF ',
      'Olga Ch\u0456ef',
      'O\u200blga Chief',
      'AIice Admin',
      'Notification Bot',
    ]
    for (const name of taken) {
      t.match(await rename(one, name), refusal, name)
      t.match(await one.patch(`/users/${bot.id}`, { full_name: name }), refusal, `the bot: ${name}`)
    }
    const register = { fetch_event_types: ['realm_user'] }
    t.equal((await rename(one, 'Olga Chieftain')).status, 200)
    t.equal((await rename(other, 'OLGA Chieftain')).status, 200, 'of plain members names may be equal')
    t.equal((await rename(chief, 'Olga  Chief')).status, 200, 'its own name')
    t.equal((await admin.patch(`/users/${one.id}`, { full_name: 'Olga Chief' })).status, 200, 'an administrator may')
    t.equal((await rename(one, 'Olga Chief')).status, 200, 'no change')
    await chief.ok('PATCH', `/users/${admin.id}`, { role: 400 })
    t.equal((await rename(other, 'Alice Admin')).status, 200, 'of a former administrator')
    t.equal((await rename(admin, 'Olga Chief')).status, 400, 'a former administrator')
    const { realm_users } = await one.ok('POST', '/register', register)
    const named = (realm_users as { full_name: string }[]).filter(({ full_name }) => full_name === 'Olga Chief')
    t.equal(named.length, 2)
  },
)

t.test('the notification bot speaks also where a person has its name and names are unique', async t => {
  const server = await startServer(t)
  const chief = await server.person({ role: 100 })
  await server.person({ full_name: 'Notification Bot' })
  await setOrganization(server.sql, { require_unique_names: true })
  const bot = await notificationBot(server.ctx)
  t.match(bot, { full_name: 'Notification Bot', is_system_bot: true })
  t.equal((await chief.get(`/users/${bot.id}`)).status, 200)
})

t.test('a mention finds a person by any spelling of the name', async t => {
  const one = await server.person({ full_name: 'Zo\u00eb Quartz' })
  for (const content of ['@**Zoe\u0308  Quartz**', `@**Zoe\u0308 Quartz|${one.id}**`]) {
    const { rendered } = await member.ok('POST', '/messages/render', { content })
    t.match(rendered, `data-user-id="${one.id}"`, content)
  }
})

t.test('a topic is stored clean and found by any spelling', async t => {
  const { id: to } = (await makeChannel('topics')).body
  const send = (topic: string) => member.ok('POST', '/messages', { type: 'channel', to, topic, content: 'x' })
  const ids = [await send('na\u00efve plan'), await send('nai\u0308ve\u200b  plan\u202e')].map(({ id }) => id)
  const { messages } = await member.ok('GET', '/messages', {
    narrow: [{ operator: 'channel', operand: to }, ['topic', 'nai\u0308ve  plan']],
    anchor: 'newest',
    num_before: 9,
    num_after: 0,
  })
  t.same(
    messages.map((message: { id: number }) => message.id),
    ids,
  )
  const { topics } = await member.ok('GET', `/users/me/${to}/topics`)
  t.same(
    topics.map((topic: { name: string }) => topic.name),
    ['na\u00efve plan'],
  )
  await member.ok('PATCH', `/messages/${ids[0]}`, { topic: 'nai\u0308ve\u200b ideas' })
  t.equal((await member.ok('GET', `/messages/${ids[0]}`)).message.subject, 'na\u00efve ideas')
  t.equal((await member.post('/messages', { type: 'channel', to, topic: 'a\ue000', content: 'x' })).status, 400)
})

t.test('a topic that was stored before topics were cleaned goes on', async t => {
  const { id: to } = (await makeChannel('old topics')).body
  const send = (topic: string) => member.ok('POST', '/messages', { type: 'channel', to, topic, content: 'x' })
  const { id } = await send('old plan')
  await server.sql`update messages set topic = 'old  plan' where id = ${id}`
  const next = (await send('old  plan')).id
  t.equal((await member.ok('GET', `/messages/${next}`)).message.subject, 'old  plan')
  const narrow = [{ operator: 'channel', operand: to }, ['topic', 'old  plan']]
  const { messages } = await member.ok('GET', '/messages', { narrow, anchor: 'newest', num_before: 9, num_after: 0 })
  t.equal(messages.length, 2)
  const renamed = await member.patch(`/messages/${id}`, { topic: 'old  plan' })
  t.match(renamed, { status: 400, body: { msg: 'Nothing to change' } }, 'its own name is no change')
})
