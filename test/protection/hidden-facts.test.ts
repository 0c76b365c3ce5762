import t from 'tap'
import { addProfileField } from '../../server/actions/users/profile-fields.js'
import { upload } from '../support/files.js'
import { groupId, limitGuests, setOrganization } from '../support/organization.js'
import { startServer } from '../support/server.js'

// The other sides of this are in test/api/channels/hidden-names and test/api/settings/email-change.
const server = await startServer(t)
const { sql, ctx } = server
const owner = await server.person({ role: 100 })
const admin = await server.person({ role: 200 })
const member = await server.person()
const members = await groupId(sql, 'role:members')
const nobody = await groupId(sql, 'role:nobody')
const everyone = await groupId(sql, 'role:everyone')

let named = 0
const channel = async (more: object = {}) =>
  (await owner.ok('POST', '/channels/create', { name: `channel ${++named}`, subscribers: [owner.id], ...more })).id
const answerOf = ({ status, body }: { status: number; body: unknown }) => ({ status, body })
const post = (to: number, content: string, topic = 'old') => ({ type: 'stream', to, topic, content })

t.test('a refused message does not tell who may post in a hidden channel', async t => {
  const answers = []
  for (const can_send_message_group of [nobody, everyone]) {
    const id = await channel({ invite_only: true, can_send_message_group })
    answers.push(answerOf(await member.post('/messages', post(id, 'x'))))
  }
  t.match(answers[0], { status: 400 })
  t.same(answers[0], answers[1])
  const open = await channel({ can_send_message_group: nobody })
  t.match(await member.post('/messages', post(open, 'x')), {
    body: { msg: 'You do not have permission to post in this channel.' },
  })
})

t.test('a mention of a topic does not tell how many wrote in a history that is hidden', async t => {
  const id = await channel({ invite_only: true, history_public_to_subscribers: false })
  await setOrganization(sql, { can_mention_many_users_group: nobody })
  const crowd = await Promise.all(Array.from({ length: 17 }, () => server.person()))
  await owner.ok('POST', '/users/me/subscriptions', {
    subscriptions: [{ name: `channel ${named}` }],
    principals: crowd.map(person => person.id),
  })
  for (const person of crowd) await person.ok('POST', '/messages', post(id, 'x'))
  await owner.ok('POST', '/users/me/subscriptions', {
    subscriptions: [{ name: `channel ${named}` }],
    principals: [member.id],
  })
  const [old, fresh] = [
    await member.post('/messages', post(id, '@**topic**')),
    await member.post('/messages', post(id, '@**topic**', 'new')),
  ]
  t.same(answerOf(old), answerOf(fresh))
})

t.test('a channel that is not renamed for another reason does not tell which names are taken', async t => {
  await channel({ invite_only: true })
  const hidden = `channel ${named}`
  const own = await channel({ can_administer_channel_group: members })
  const answers = []
  for (const new_name of [hidden, 'a free name']) {
    answers.push(answerOf(await member.patch(`/streams/${own}`, { new_name, folder_id: 2_147_483_647 })))
  }
  t.match(answers[0], { status: 400 })
  t.same(answers[0], answers[1])
})

t.test('the policy of topics does not tell whether a channel without access has named topics', async t => {
  const answers = []
  for (const content of ['x', undefined]) {
    const id = await channel({ invite_only: true, can_set_topics_policy_group: everyone })
    if (content) await owner.ok('POST', '/messages', post(id, content))
    answers.push(answerOf(await admin.patch(`/streams/${id}`, { topics_policy: 'empty_topic_only' })))
  }
  t.match(answers[0], { status: 400 })
  t.same(answers[0], answers[1])
})

t.test('profile fields do not tell a limited guest which hidden accounts are active', async t => {
  const plain = { hint: '', options: [], urlPattern: null, required: false, inSummary: false }
  const open = await addProfileField(ctx, { ...plain, type: 'USER', name: 'open', editableByUser: true })
  const locked = await addProfileField(ctx, { ...plain, type: 'USER', name: 'locked', editableByUser: false })
  const [guest, active, left] = [await server.person({ role: 600 }), await server.person(), await server.person()]
  await owner.ok('DELETE', `/users/${left.id}`)
  await limitGuests(sql)
  for (const { id } of [open, locked]) {
    const answers = []
    for (const other of [active.id, left.id, 99_999_999]) {
      const { status, body } = await guest.patch('/users/me/profile_data', { data: [{ id, value: [other] }] })
      answers.push({ status, body: JSON.stringify(body).replaceAll(String(other), 'ID') })
    }
    t.match(answers[0], { status: 400 })
    t.same(answers[1], answers[0])
    t.same(answers[2], answers[0])
  }
})

t.test('the address of a file does not tell a spectator whether there is one', async t => {
  await setOrganization(sql, { enable_spectator_access: true })
  const url = await upload(server.url, owner, { name: 'x.txt', type: 'text/plain', bytes: new Uint8Array([1]) })
  const spectator = server.api(null)
  const [there, missing] = [await spectator.get(url), await spectator.get(`${url.slice(0, -10)}/x.txt`)]
  t.match(there, { status: 401, body: { code: 'UNAUTHORIZED' } })
  t.same(answerOf(missing), answerOf(there))
})
