import t from 'tap'
import { readParameters } from '../../server/params/read-parameters.js'

const form = 'application/x-www-form-urlencoded'
const read = (query: string, body?: string | Buffer, type = form, encoding = '') =>
  Object.fromEntries(
    readParameters(query, body === undefined ? undefined : { type, encoding, body: Buffer.from(body) }),
  )
const refused = (query: string, body?: string | Buffer, type = form, encoding = '') => {
  try {
    read(query, body, type, encoding)
    return 'none'
  } catch (error) {
    return (error as { code: string }).code
  }
}

t.test('pairs are decoded; the last of equal names wins, and the body wins over the query', async t => {
  t.same(read('a=1&b=x+y%20z&c=&d&=e&&a=2'), { a: '2', b: 'x y z', c: '', d: '', '': 'e' })
  t.same(read('a=1&b=2', 'a=3&a=4'), { a: '4', b: '2' })
  t.same(read('a=b=c&n%5B0%5D=%00&e=%E2%82%AC&plus=%2B'), { a: 'b=c', 'n[0]': '\0', e: '€', plus: '+' })
  t.same(read('', Buffer.from('raw=é€😀')), { raw: 'é€😀' })
})

t.test('an empty body is no body, whatever its type', async t => {
  t.same(read('a=1', '', 'application/json'), { a: '1' })
})

t.test('a body without a type is read as a form, and a type may have parameters', async t => {
  t.same(read('', 'a=1', ''), { a: '1' })
  t.same(read('', 'a=1', 'Application/X-WWW-Form-Urlencoded; charset=UTF-8'), { a: '1' })
})

t.test('a JSON object has the parameters as values or as the texts of a form', async t => {
  const json = 'application/json; charset=utf-8'
  const values = { a: 'x', n: 5, yes: true, none: null, list: [1, 'b'], narrow: '[["is","dm"]]' }
  t.same(read('a=1&q=2', ` \n${JSON.stringify(values)}`, json), { q: '2', ...values })
  t.same(Object.keys(read('', '{"__proto__":1,"constructor":2}', json)), ['__proto__', 'constructor'])
  t.same(read('', 'a=%7B%22x%22%3A1%7D&b=2', json), { a: '{"x":1}', b: '2' }, 'a form that a library names JSON')
  for (const text of ['{"a":1', '[{"a":1}]', '"a=1"', '{"a":1} x', '{a:1}', '['])
    t.equal(refused('', text, json), 'INVALID_JSON', text)
  t.equal(refused('', `{"a":${'['.repeat(1000)}${']'.repeat(1000)}}`, json), 'BAD_REQUEST', 'too deep')
  t.equal(refused('', `{"a":[${'1,'.repeat(300_000)}1]}`, json), 'BAD_REQUEST', 'too many values')
  t.equal(
    refused('', JSON.stringify(Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [i, i]))), json),
    'BAD_REQUEST',
  )
  t.equal(refused('', Buffer.from([0x7b, 0x22, 0xc3, 0x28]), json), 'BAD_REQUEST', 'no UTF-8')
  t.equal(refused('', '{"a":1}', json, 'gzip'), 'UNSUPPORTED_MEDIA_TYPE')
  t.equal(refused('', '{"a":1}', 'application/json; charset=utf-16'), 'UNSUPPORTED_MEDIA_TYPE')
})

t.test('what is not UTF-8 or has malformed escapes is refused', async t => {
  for (const text of ['a=%', 'a=%z1', 'a=%C3', 'a=%C3%28', '%ff=1', 'a=%ED%A0%80', 'a=%F8%88%80%80%80']) {
    t.equal(refused(text), 'BAD_REQUEST', text)
    t.equal(refused('', text), 'BAD_REQUEST', text)
  }
  t.equal(refused('', Buffer.from([0x61, 0x3d, 0xc3, 0x28])), 'BAD_REQUEST')
  t.equal(refused('a=\ufffd'), 'BAD_REQUEST')
})

t.test('bodies that are no forms are refused', async t => {
  for (const type of ['text/plain', 'multipart/mixed; boundary=x', 'nonsense', ';', 'application/msgpack']) {
    if (type !== ';') t.equal(refused('', '{"a":1}', type), 'UNSUPPORTED_MEDIA_TYPE', type)
  }
  t.equal(refused('', 'a=1', `${form}; charset=iso-8859-1`), 'UNSUPPORTED_MEDIA_TYPE')
  t.equal(refused('', 'a=1', form, 'gzip'), 'UNSUPPORTED_MEDIA_TYPE')
})

const multipart = (lines: string[], boundary = 'XX') =>
  readParts(lines.join('\r\n'), `multipart/form-data; boundary=${boundary}`)
const readParts = (body: string | Buffer, type: string) => read('', body, type)
const part = 'Content-Disposition: form-data; name='

t.test('the fields of a multipart body are parameters', async t => {
  t.same(
    multipart([
      '--XX',
      `${part}"a"`,
      '',
      'one',
      '--XX',
      `${part}b`,
      'Content-Type: text/plain',
      '',
      'x\r\n--X',
      '--XX--',
    ]),
    {
      a: 'one',
      b: 'x\r\n--X',
    },
  )
  t.same(
    multipart([
      'preamble',
      '--XX  ',
      `content-disposition:form-data;name="é \\"q\\" ;x"`,
      '',
      '',
      '--XX--',
      'epilogue',
    ]),
    {
      'é "q" ;x': '',
    },
  )
  t.same(readParts(`--a b\r\n${part}"n"\r\n\r\nv\r\n--a b--`, 'Multipart/Form-Data; x=y; BOUNDARY="a b"'), {
    n: 'v',
  })
  t.same(multipart(['--XX--', '']), {})
})

t.test('a file part names a parameter and is no text', async t => {
  const read = multipart(['--XX', `${part}"f"; filename="a.txt"`, '', 'bytes', '--XX--'])
  t.match(read.f, { name: 'a.txt', type: '', bytes: Buffer.from('bytes') })
})

t.test('a malformed multipart body is refused', async t => {
  const bodies = [
    'nothing',
    '--XX',
    '--XX\r\n',
    `--XX\r\n${part}"a"`,
    `--XX\r\n${part}"a"\r\n\r\n`,
    `--XX\r\n${part}"a"\r\n\r\nvalue`,
    `--XX\r\n${part}"a"\r\n\r\nvalue\r\n--XX`,
    `--XX\r\n${part}"a"\r\n\r\nvalue\r\n--XXY`,
    `--XX\r\nContent-Disposition: form-data\r\n\r\nvalue\r\n--XX--`,
    `--XX\r\nNothing: here\r\n\r\nvalue\r\n--XX--`,
    `--XX\r\n${'X'.repeat(9000)}\r\n\r\nvalue\r\n--XX--`,
    `--XX\r\n${part}"a"\r\n\r\nvalue`.padEnd(100_000, '\r\n--X'),
  ]
  const type = 'multipart/form-data; boundary=XX'
  for (const body of bodies) t.equal(refused('', body, type), 'BAD_REQUEST', body.slice(0, 60))
  t.equal(refused('', '--XX--', 'multipart/form-data'), 'BAD_REQUEST')
  t.equal(refused('', '--XX--', 'multipart/form-data; boundary='), 'BAD_REQUEST')
  const parts = `--XX\r\n${part}"a"\r\n\r\n\r\n`.repeat(1500)
  t.equal(refused('', `${parts}--XX--`, type), 'BAD_REQUEST')
  const bad = Buffer.concat([
    Buffer.from(`--XX\r\n${part}"a"\r\n\r\n`),
    Buffer.from([0xc3, 0x28]),
    Buffer.from('\r\n--XX--'),
  ])
  t.equal(refused('', bad, type), 'BAD_REQUEST')
})
