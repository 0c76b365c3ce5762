import t from 'tap'
import { Listener } from '../../support/in-step.js'
import { startServer } from '../../support/server.js'
import { uploadEmoji } from './scene.js'

const server = await startServer(t)
const admin = await server.person({ role: 200 })
const [author, other] = [await server.person(), await server.person()]
const add = async (name: string, who = author): Promise<void> => {
  const { status, body } = await uploadEmoji(server.url, who, name)
  if (status !== 200) throw new Error(body.msg)
}
const emojiOf = async () => (await other.ok('GET', '/realm/emoji')).emoji
const send = async (content: string): Promise<number> =>
  (await other.ok('POST', '/messages', { type: 'direct', to: [author.id], content })).id
const html = async (id: number): Promise<string> => (await other.ok('GET', `/messages/${id}`)).message.content

t.test('an emoji in text, reactions and statuses, until it is deactivated', async t => {
  await add('lamb')
  const { source_url } = (await emojiOf())['1']
  const old = await send('a :lamb:, and :no_lamb:')
  const picture = `<img alt=":lamb:" class="emoji" src="${source_url}" title="lamb">`
  t.equal(await html(old), `<p>a ${picture}, and :no_lamb:</p>`)
  const lamb = { emoji_name: 'lamb', emoji_code: '1', reaction_type: 'realm_emoji' }
  const reactions = `/messages/${old}/reactions`
  const bad = { status: 400, body: { code: 'BAD_REQUEST' } }
  t.match(await other.post(reactions, { ...lamb, emoji_code: '2' }), bad)
  t.match(await other.post(reactions, { ...lamb, emoji_name: 'lam' }), bad)
  t.match(await other.post(reactions, { ...lamb, reaction_type: 'unicode_emoji' }), bad)
  await other.ok('POST', reactions, { emoji_name: 'lamb' })
  t.match((await other.ok('GET', `/messages/${old}`)).message.reactions, [{ ...lamb, user_id: other.id }])
  await other.ok('DELETE', reactions, { emoji_name: 'lamb' })
  await other.ok('POST', reactions, lamb)
  await other.ok('POST', '/users/me/status', { emoji_name: 'lamb' })
  t.match((await author.ok('GET', `/users/${other.id}/status`)).status, lamb)
  await admin.ok('POST', `/users/${author.id}/status`, lamb)
  t.match((await other.ok('GET', `/users/${author.id}/status`)).status, lamb)
  t.match(await admin.post(`/users/${author.id}/status`, { ...lamb, emoji_code: '9' }), bad)

  const modern = await Listener.start(server.ctx, other)
  const older = await Listener.start(server.ctx, other, { client_capabilities: {} })
  await author.ok('DELETE', '/realm/emoji/lamb')
  t.match(await modern.inStep(t), [
    { type: 'realm_emoji', op: 'update_one', emoji_id: '1', data: { deactivated: true } },
  ])
  t.match(await older.inStep(t), [{ type: 'realm_emoji', op: 'update', realm_emoji: { 1: { deactivated: true } } }])
  t.match(await emojiOf(), { 1: { name: 'lamb', source_url, deactivated: true } })
  t.equal((await fetch(server.url + source_url)).status, 200, 'old messages still show it')
  t.equal(await html(old), `<p>a ${picture}, and :no_lamb:</p>`)
  t.equal(await html(await send(':lamb:')), '<p>:lamb:</p>')
  const young = await send('another')
  t.match(await other.post(`/messages/${young}/reactions`, lamb), bad)
  t.match(await other.post(`/messages/${young}/reactions`, { emoji_name: 'lamb' }), bad)
  t.match(await other.post('/users/me/status', lamb), bad)
  t.match((await author.ok('GET', `/users/${other.id}/status`)).status, lamb, 'the status stays')
  await author.ok('POST', reactions, lamb)
  await other.ok('DELETE', reactions, { emoji_code: '1', reaction_type: 'realm_emoji' })

  await add('lamb')
  t.match(Object.keys(await emojiOf()), ['1', '2'], 'the name is free again, the id is not')
  t.match(await html(await send(':lamb:')), /<img alt=":lamb:"/)
})

t.test('a custom emoji hides the one of the same name', async t => {
  await add('tada', admin)
  t.match(await html(await send(':tada:')), /<img alt=":tada:"/)
  const id = await send('party')
  await other.ok('POST', `/messages/${id}/reactions`, { emoji_name: 'tada' })
  await other.ok('POST', `/messages/${id}/reactions`, {
    emoji_name: 'tada',
    emoji_code: '1f389',
    reaction_type: 'unicode_emoji',
  })
  t.match((await other.ok('GET', `/messages/${id}`)).message.reactions, [
    { reaction_type: 'realm_emoji' },
    { reaction_type: 'unicode_emoji', emoji_code: '1f389' },
  ])
  await admin.ok('DELETE', '/realm/emoji/tada')
  t.match(await html(await send(':tada:')), /emoji-1f389/)
})

t.test('who and what is refused', async t => {
  await add('old_oak')
  const path = '/realm/emoji/old_oak'
  t.match(await other.delete(path), { status: 400, body: { code: 'BAD_REQUEST', msg: /author/ } })
  const guest = await server.person({ role: 600 })
  t.match(await guest.delete(path), { status: 400, body: { code: 'BAD_REQUEST' } })
  for (const name of ['nothing', 'Cactus', 'tada', '%00', 'x'.repeat(200)]) {
    t.match(await admin.delete(`/realm/emoji/${name}`), { status: 404, body: { code: 'BAD_REQUEST' } }, name)
  }
  await admin.ok('DELETE', path)
  t.match(await author.delete(path), { status: 404, body: { code: 'BAD_REQUEST' } }, 'once')
})
