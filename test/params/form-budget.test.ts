import t from 'tap'
import { budgets } from '../../server/config/budgets.js'
import { readParameters } from '../../server/params/read-parameters.js'
import { ApiError } from '../../shared/errors.js'
import { ann, fakeServer } from '../http/fake-server.js'

const form = 'application/x-www-form-urlencoded'
const multipart = 'multipart/form-data; boundary=XX'
const most = budgets.formPairs.most

function read(query: string, body = '', type = form): Map<string, unknown> {
  return readParameters(query, { type, encoding: '', body: Buffer.from(body) })
}

const parts = (count: number, head = 'Content-Disposition: form-data; name="a"') =>
  `${`--XX\r\n${head}\r\n\r\n\r\n`.repeat(count)}--XX--`
const tooMany = { code: 'BAD_REQUEST', message: `The request has more than ${most} parameters.` }

t.test('a request has at most so many pairs, those of its query and its body together', async t => {
  const pairs = (count: number) => Array.from({ length: count }, (_, i) => `p${i}=${i}`).join('&')
  t.equal(read(pairs(most)).size, most)
  t.equal(read('', pairs(most)).size, most)
  t.equal(read('q=1', parts(most - 1), multipart).size, 2)
  t.throws(() => read(pairs(most + 1)), tooMany)
  t.throws(() => read('', pairs(most + 1)), tooMany)
  t.throws(() => read('q=1', pairs(most)), tooMany)
  t.throws(() => read(pairs(most), 'b=1'), tooMany)
  t.throws(() => read('', parts(most + 1), multipart), tooMany)
  t.throws(() => read('q=1', parts(most), multipart), tooMany)
})

t.test('pairs count also where they are equal, without a value, or empty', async t => {
  for (const pair of ['a=1&', 'a&', '&', '=&']) {
    t.throws(() => read(pair.repeat(most + 1)), tooMany, pair)
    t.throws(() => read('', pair.repeat(1_000_000)), tooMany, pair)
  }
})

t.test('too many are refused before any of them is decoded', async t => {
  t.throws(() => read('', `a=%zz&${'a&'.repeat(most)}`), tooMany)
  t.throws(() => read(`a=%zz&${'a&'.repeat(most)}`), tooMany)
})

t.test('a name has its bound, in a form as in a part', async t => {
  const longest = budgets.parameterName.most
  const tooLong = { code: 'BAD_REQUEST', message: `The name of a parameter is longer than ${longest} characters.` }
  const named = (length: number) => `Content-Disposition: form-data; name="${'n'.repeat(length)}"`
  t.same([...read('n'.repeat(longest)).keys()], ['n'.repeat(longest)])
  t.equal(read('', parts(1, named(longest)), multipart).size, 1)
  t.throws(() => read('n'.repeat(longest + 1)), tooLong)
  t.throws(() => read('', `${'%41'.repeat(longest + 1)}=1`), tooLong)
  t.throws(() => read('', parts(1, named(longest + 1)), multipart), tooLong)
})

t.test('the head of a part has its bound, and so have the blanks before it', async t => {
  const malformed = { code: 'BAD_REQUEST', message: 'The multipart body is malformed.' }
  const padded = (blanks: number) => parts(1).replace('--XX', `--XX${' '.repeat(blanks)}`)
  t.equal(read('', padded(80), multipart).size, 1)
  t.throws(() => read('', padded(81), multipart), malformed)
  t.throws(() => read('', parts(1, `X: ${'x'.repeat(budgets.partHead.most)}`), multipart), malformed)
})

t.test('a plus is a space wherever it stands, and an escaped one is not', async t => {
  for (const text of ['a=+x+&+b+=1+2', '+=+&a=%2B+%2b+é']) {
    const expected = [...new URLSearchParams(text)]
    t.same([...read(text)], expected)
    t.same([...read('', text)], expected)
  }
})

function attempt(body: string): void {
  try {
    read('', body)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
  }
}

/** The lowest of several measurements, in ms of CPU time. */
function costOf(work: () => unknown): number {
  const costs = Array.from({ length: 7 }, () => {
    const before = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  })
  return Math.min(...costs)
}

t.test('reading costs no more for each byte, whatever the bytes are', async t => {
  const bytes = 2_000_000
  const plain = costOf(() => read('', `a=${'%41'.repeat(bytes / 3)}`))
  const shapes = {
    'no value in many pairs': 'a&'.repeat(most - 1) + 'a'.repeat(bytes),
    pluses: `a=${'+'.repeat(bytes)}`,
    'equals signs': `a=${'='.repeat(bytes)}`,
  }
  for (const [name, body] of Object.entries(shapes)) t.ok(costOf(() => attempt(body)) < 10 * plain + 10, name)
})

t.test('an operation refuses what is too much with 400 and goes on', async t => {
  const fake = await fakeServer(t)
  const headers = { Authorization: ann, 'Content-Type': form }
  const body = 'a&'.repeat(1_000_000)
  const response = await fetch(`${fake.url}/echo`, { method: 'POST', headers, body })
  t.equal(response.status, 400)
  t.match(await response.json(), { code: 'BAD_REQUEST', msg: tooMany.message })
  t.same(fake.calls, [])
  const next = await fetch(`${fake.url}/echo`, { method: 'POST', headers, body: 'number=1' })
  t.equal(next.status, 200)
})
