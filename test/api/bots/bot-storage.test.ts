import { randomBytes } from 'node:crypto'
import t from 'tap'
import { budgets } from '../../../server/config/budgets.js'
import { statementsOf } from '../../support/queries.js'
import { startServer } from '../../support/server.js'

const path = '/bot_storage'

t.test('a bot keeps keys and values for itself', async t => {
  const server = await startServer(t)
  const [bot, other] = [await server.person({ bot_type: 1 }), await server.person({ bot_type: 3 })]
  t.same((await bot.ok('GET', path)).storage, {})
  const { result, msg, ...rest } = await bot.ok('PUT', path, {
    storage: { a: '1', b: 'two', '': '', 'ключ 🔑': 'значение' },
  })
  t.same(rest, {})
  await bot.ok('PUT', path, { storage: { a: 'other', c: '3' } })
  const all = { a: 'other', b: 'two', '': '', 'ключ 🔑': 'значение', c: '3' }
  t.same((await bot.ok('GET', path)).storage, all)
  t.same((await bot.ok('GET', path, { keys: ['ключ 🔑', 'a', 'a'] })).storage, { 'ключ 🔑': 'значение', a: 'other' })
  t.same((await bot.ok('GET', path, { keys: [] })).storage, {})
  t.same((await other.ok('GET', path)).storage, {}, 'each has its own')

  await other.ok('PUT', path, { storage: { a: 'mine' } })
  await bot.ok('DELETE', path, { keys: ['a', 'b'] })
  t.same((await bot.ok('GET', path)).storage, { '': '', 'ключ 🔑': 'значение', c: '3' })
  await bot.ok('DELETE', path, { keys: [] })
  t.equal(Object.keys((await bot.ok('GET', path)).storage).length, 3)
  await bot.ok('DELETE', path)
  t.same((await bot.ok('GET', path)).storage, {})
  t.same((await other.ok('GET', path)).storage, { a: 'mine' })
})

t.test('one key that is not there refuses the whole request', async t => {
  const server = await startServer(t)
  const bot = await server.person({ bot_type: 1 })
  await bot.ok('PUT', path, { storage: { a: '1' } })
  for (const method of ['GET', 'DELETE']) {
    t.match(await bot.call(method, path, { keys: ['a', 'b'] }), { status: 400, body: { code: 'BAD_REQUEST' } }, method)
  }
  t.same((await bot.ok('GET', path)).storage, { a: '1' })
})

t.test('the limit counts the characters of keys and values, and what is overwritten by the difference', async t => {
  const server = await startServer(t, { BOT_STORAGE_CHARACTERS: '20' })
  const bot = await server.person({ bot_type: 1 })
  const put = (storage: Record<string, string>) => bot.put(path, { storage })
  // A surrogate pair counts as one character.
  await bot.ok('PUT', path, { storage: { 'k🔑': '🔑🔑🔑🔑🔑🔑🔑🔑' } })
  t.equal((await put({ other: 'five+' })).status, 200, 'exactly full')
  const over = await put({ other: 'five+6', 'k🔑': 'shorter' })
  t.equal(over.status, 200, 'the new whole is what counts: 7 + 2 + 6 + 5')
  const refused = await put({ fresh: 'x' })
  t.match(refused, {
    status: 400,
    body: { code: 'BAD_REQUEST', msg: 'Request exceeds storage limit by 6 characters. The limit is 20 characters.' },
  })
  t.match((await put({ a: '', other: '0123456789012345678' })).body.msg, /by 14 characters/)
  const kept = { 'k🔑': 'shorter', other: 'five+6' }
  t.same((await bot.ok('GET', path)).storage, kept, 'nothing of a refused request is kept')
  await bot.ok('DELETE', path, { keys: ['other'] })
  t.equal((await put({ a: '0123456789' })).status, 200, 'what is removed is free again')
  t.equal((await put({ b: '' })).status, 400)
  await bot.ok('DELETE', path)
  t.equal((await put({ a: '0123456789012345678' })).status, 200)
})

t.test('requests at the same time cannot exceed the limit together', async t => {
  const server = await startServer(t, { BOT_STORAGE_CHARACTERS: '30' })
  const bot = await server.person({ bot_type: 1 })
  const names = ['a', 'b', 'c', 'd', 'e', 'f']
  const put = (key: string) => bot.put(path, { storage: { [key]: '012345678' } })
  const answers = await Promise.all([...names, ...names].map(put))
  const { storage } = await bot.ok('GET', path)
  t.equal(Object.keys(storage).length, 3, 'ten characters each')
  // Both requests for an existing key fit; those for a new key do not.
  t.equal(answers.filter(answer => answer.status === 200).length, 6)
  await Promise.all([bot.delete(path), ...names.map(put), bot.delete(path)])
  await bot.ok('DELETE', path)
  t.equal((await bot.put(path, { storage: { k: 'x'.repeat(29) } })).status, 200, 'the count is right')
})

t.test('a key may be of any length, and many cost no more statements than one', async t => {
  const server = await startServer(t)
  const bot = await server.person({ bot_type: 1 })
  // Random, hence incompressible: an index entry cannot have 2,800 bytes.
  const long = randomBytes(1600).toString('hex')
  await bot.ok('PUT', path, { storage: { [long]: 'x', [`${long}2`]: 'y' } })
  t.same((await bot.ok('GET', path, { keys: [`${long}2`] })).storage, { [`${long}2`]: 'y' })
  const many = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`key ${i}`, String(i)]))
  const count = async (storage: Record<string, string>) =>
    (await statementsOf(server, () => bot.ok('PUT', path, { storage }))).filter(text => /bot_storage/.test(text)).length
  t.equal(await count(many), await count({ one: '1' }))
  t.equal(Object.keys((await bot.ok('GET', path)).storage).length, 1003)
})

t.test(
  'all that a bot may keep comes in one request, more than that is refused; for others a body is as small as ever',
  async t => {
    const server = await startServer(t)
    const [bot, person] = [await server.person({ bot_type: 1 }), await server.person()]
    await bot.ok('GET', path)
    const put = (api: typeof bot, characters: number) => api.put(path, { storage: { big: 'x'.repeat(characters) } })
    const refused = await put(bot, 10_000_000)
    t.match(refused, {
      status: 400,
      body: {
        code: 'BAD_REQUEST',
        msg: 'Request exceeds storage limit by 3 characters. The limit is 10000000 characters.',
      },
    })
    t.equal((await put(bot, 9_999_997)).status, 200)
    t.equal((await bot.ok('GET', path)).storage.big.length, 9_999_997)
    const key = 'k'.repeat(3_000_000)
    await bot.ok('DELETE', path, { keys: ['big'] })
    await bot.ok('PUT', path, { storage: { [key]: 'x' } })
    t.equal((await bot.delete(path, { keys: [key] })).status, 200, 'a key of any length can be removed')
    t.match(await put(person, 3_000_000), { status: 413, body: { code: 'REQUEST_TOO_LARGE' } })
    t.equal((await bot.post('/users/me/presence', { status: 'x'.repeat(3_000_000) })).status, 413)
  },
)

t.test('only bots, and only text', async t => {
  const server = await startServer(t)
  const bot = await server.person({ bot_type: 1 })
  for (const role of [100, 400, 600] as const) {
    const person = await server.person({ role })
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const answer = await person.call(method, path, { storage: { a: 'b' } })
      t.match(answer, { status: 400, body: { code: 'PERMISSION_DENIED' } }, method)
    }
  }
  t.match(await server.api(null).put(path, { storage: {} }), { status: 401, body: { code: 'UNAUTHORIZED' } })
  t.match(await bot.put(path), { body: { code: 'REQUEST_VARIABLE_MISSING', var_name: 'storage' } })
  for (const storage of [
    'x',
    'null',
    '["a"]',
    '{"a": 1}',
    '{"a": null}',
    '{"a": {"b": "c"}}',
    '{"__proto__": "x"}',
    '{"a": "\\u0000"}',
    '{"a\\u0000": "x"}',
    '{"a": "\\ud800"}',
    '{"a": "x"',
  ]) {
    t.match(await bot.put(path, { storage }), { status: 400, body: { code: 'BAD_REQUEST' } }, storage)
  }
  const tooMany = Object.fromEntries(Array.from({ length: budgets.storageKeys.most + 1 }, (_, i) => [`${i}`, '']))
  t.match(await bot.put(path, { storage: tooMany }), {
    status: 400,
    body: { code: 'BAD_REQUEST', msg: /at most 1000 keys/ },
  })
  t.match((await bot.put(path, { storage: { a: 'x', b: 1, c: 2 } })).body.msg, /^storage\["b"\]: /)
  await bot.ok('PUT', path, { storage: { '\ufffd': 'x' } })
  for (const method of ['GET', 'DELETE']) t.equal((await bot.call(method, path, { keys: '["\\ud800"]' })).status, 400)
  await bot.ok('DELETE', path, { keys: ['\ufffd'] })
  for (const keys of ['a', '[1]', '{"a": "b"}', '"a"']) {
    t.match(await bot.get(path, { keys }), { status: 400, body: { code: 'BAD_REQUEST' } }, keys)
    t.match(await bot.delete(path, { keys }), { status: 400, body: { code: 'BAD_REQUEST' } }, keys)
  }
  t.same((await bot.ok('GET', path)).storage, {})
})
