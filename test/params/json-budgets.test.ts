import t from 'tap'
import { pack } from '../../shared/wire/codec.js'
import { ann, fakeServer } from '../http/fake-server.js'
import { openSocket } from '../socket/socket-client.js'

const fake = await fakeServer(t)
const me = { op: 'request', method: 'GET', path: '/users/me' }
const deep = `${'['.repeat(33)}${']'.repeat(33)}`
const many = `[${'0,'.repeat(50_000)}0]`

t.test('a JSON parameter of REST beyond a budget is refused in its own words', async t => {
  for (const [list, msg] of [
    [deep, /more than 32 levels/],
    [many, /more than 50000 values/],
  ] as const) {
    const answer = await fetch(`${fake.url}/echo`, {
      method: 'POST',
      headers: { Authorization: ann },
      body: new URLSearchParams({ number: '1', list }),
    })
    t.equal(answer.status, 400)
    t.match(await answer.json(), { result: 'error', code: 'BAD_REQUEST', msg })
  }
})

for (const protocol of ['chat.v1.json', 'chat.v1.msgpack']) {
  t.test(`${protocol}: a frame beyond a budget is refused in its own words, and the socket goes on`, async t => {
    const client = await openSocket(fake, { headers: { Authorization: ann } }, [protocol])
    const isBinary = protocol === 'chat.v1.msgpack'
    const send = (text: string) => client.socket.send(isBinary ? pack(JSON.parse(text)) : text)
    for (const [id, params, msg] of [
      [1, deep, /more than 32 levels/],
      [2, many, /more than 50000 values/],
    ] as const) {
      const errors = client.frames.length
      send(`{"op":"request","id":${id},"method":"POST","path":"/echo","params":{"number":1,"list":${params}}}`)
      await client.frame(() => client.frames.length > errors)
      t.match(client.frames[errors], { op: 'error', code: 'BAD_REQUEST', msg })
      t.match(await client.send({ ...me, id: `me${id}` }).reply(`me${id}`), { status: 200 })
    }
    const names = Object.fromEntries(Array.from({ length: 1001 }, (_, i) => [`name${i}`, i]))
    client.send({ ...me, id: 3, params: names })
    t.match(await client.reply(3), { status: 400, body: { code: 'BAD_REQUEST', msg: /more than 1000 parameters/ } })
    client.socket.close()
  })
}

t.test('an array of a million nils is refused unread', async t => {
  const client = await openSocket(fake, { headers: { Authorization: ann } }, ['chat.v1.msgpack'])
  const nils = Buffer.alloc(1_000_005, 0xc0)
  nils[0] = 0xdd
  nils.writeUInt32BE(1_000_000, 1)
  client.socket.send(nils)
  t.match(await client.frame(frame => frame.op === 'error'), { code: 'BAD_REQUEST', msg: /more than 50000 values/ })
  client.socket.close()
})
