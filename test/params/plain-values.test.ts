import fc from 'fast-check'
import t from 'tap'
import { z } from 'zod'
import { routes } from '../../server/api/index.js'
import { boolean, integer, json, keptText, pathId, shortId, text, word } from '../../server/api/params.js'
import { plainParam } from '../../server/params/plain-values.js'

/** Values that clients send over HTTP and over the socket, valid and invalid. */
const sent = fc.oneof(
  fc.constantFrom<unknown>(
    ...[
      '',
      '0',
      '-0',
      '00',
      '1',
      '-1',
      '01',
      '+1',
      '1.0',
      '1e3',
      ' 1',
      '1 ',
      '2147483647',
      '2147483648',
      '-2147483649',
    ],
    ...[
      '999999999999999',
      '9007199254740991',
      '9007199254740992',
      '9007199254740993',
      '-9007199254740993',
      '99999999999999999999',
      'NaN',
      'Infinity',
      '0x10',
    ],
    ...['true', 'false', 'True', '"true"', 'null', '[]', '{}', '"active"', 'active', 'idle', "'active'", 'undefined'],
    ...[0, -0, 1, -1, 1.5, 2 ** 53, Number.NaN, true, false, null, undefined, [], {}, [1], { a: 1 }],
    // Values of MessagePack that JSON lacks.
    ...[
      1n,
      2n ** 60n,
      new Date(0),
      new Map([['a', 1]]),
      new Set([1]),
      Uint8Array.of(49),
      new Number(1),
      new String('1'),
    ],
    ...['__proto__', 'constructor', 'toString', '\u0000', '\ud800', '1\u00a0', '\ufeff1', '１'],
  ),
  fc.string(),
  fc.integer(),
  fc.integer().map(String),
  fc.double(),
  fc.jsonValue().map(value => JSON.stringify(value)),
)

const schemas: Record<string, z.ZodType> = {
  text: text(),
  'text, described': text().optional().describe('x'),
  integer: integer(),
  'integer within bounds': integer({ min: -1, max: 100 }).describe('x'),
  'integer with a default': integer({ min: 0 }).default(7),
  pathId: pathId(),
  shortId: shortId().optional(),
  boolean: boolean().default(false),
  word: word('active', 'idle').describe('x'),
  'word that is JSON': word('true', '1', 'null').optional(),
  keptText: keptText(3).optional(),
  list: json(z.array(z.int())).optional(),
  'list with a default': json(z.array(z.int())).default([1]),
  'integer or null': json(z.int().nullable()).optional(),
  'default within': integer().default(3).optional(),
}
for (const { operation, params } of routes) {
  for (const [name, schema] of Object.entries(params.shape)) schemas[`${operation} ${name}`] = schema as z.ZodType
}

t.test('a plain value is what the schema makes of it', t => {
  for (const [name, schema] of Object.entries(schemas)) {
    const { value, mayLack, absent } = plainParam(schema)
    if (mayLack) t.same(schema.parse(undefined), absent, name)
    fc.assert(
      fc.property(sent, one => {
        const plain = value(one)
        if (plain === undefined) return true
        const parsed = schema.safeParse(one)
        return parsed.success && Object.is(parsed.data, plain)
      }),
      { numRuns: 150 },
    )
  }
  t.end()
})

t.test('what clients usually send is plain', t => {
  // An event id has 16 digits: with a shorter bound every poll would need its schema.
  t.equal(plainParam(integer({ min: -1 }).optional()).value('1763764800123456'), 1763764800123456)
  t.equal(plainParam(boolean().default(false)).value('true'), true)
  t.equal(plainParam(word('active', 'idle').describe('x')).value('active'), 'active')
  t.equal(plainParam(text()).value('x'), 'x')
  t.match(plainParam(boolean().default(false)), { mayLack: true, absent: false })
  t.equal(plainParam(json(z.array(z.int())).default([])).mayLack, false, 'a list is made anew for each caller')
  t.end()
})
