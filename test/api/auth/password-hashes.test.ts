// A password is hashed at most once for a sign-in, and by two threads of the worker at most.
import t from 'tap'
import { Browser, givePassword, password } from '../../support/browser.js'
import { deactivate } from '../../support/organization.js'
import { startServer } from '../../support/server.js'

const server = await startServer(t)
const { passwordHashes } = server.ctx.workLimits
let hashes = 0
let running = 0
let most = 0
const run = passwordHashes.run.bind(passwordHashes)
passwordHashes.run = work =>
  run(async () => {
    hashes += 1
    running += 1
    most = Math.max(most, running)
    try {
      return await work()
    } finally {
      running -= 1
    }
  })

const page = async (username: string, given: string) =>
  (await new Browser(server.url).page('POST', '/login/', { form: { username, password: given } })).status
const program = async (username: string, given: string) =>
  (await server.api(null).post('/fetch_api_key', { username, password: given })).status

t.test('one hash for each way in which a sign-in can end', async t => {
  const [ann, gone, without] = [await server.person(), await server.person(), await server.person()]
  await givePassword(server.sql, ann, gone)
  await deactivate(server.sql, gone.id)
  for (const [name, given, statuses] of [
    [ann.email, password, [302, 200]],
    [ann.email, 'wrong', [200, 401]],
    ['unknown@test.example', password, [200, 401]],
    [without.email, password, [200, 401]],
    [gone.email, password, [302, 401]],
  ] as const) {
    hashes = 0
    t.same([await page(name, given), await program(name, given)], statuses, `${name} ${given}`)
    t.equal(hashes, 2, 'one by the page, one by the program')
  }
})

t.test('fifty people at once: two hashes run at a time, and each person gets in', async t => {
  const people = await Promise.all(Array.from({ length: 50 }, () => server.person()))
  await givePassword(server.sql, ...people)
  hashes = 0
  const statuses = await Promise.all(people.map(({ email }) => page(email, password)))
  t.same(new Set(statuses), new Set([302]))
  t.same({ hashes, most }, { hashes: 50, most: 2 })
})
