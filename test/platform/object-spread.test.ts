import { setFlagsFromString } from 'node:v8'
import fc from 'fast-check'
import t from 'tap'

const script = new URL('../../../server/bin/object-spread.mjs', import.meta.url)
const { withSharedClasses } = (await import(script.href)) as { withSharedClasses(code: string): string }
const run = (code: string) => new Function('a', 'b', `return ${code}`)
const change = (code: string) => withSharedClasses(`x = ${code}`).slice('x = '.length)

t.test('an object that begins with a spread and goes on gets another beginning', async t => {
  for (const [code, expected] of [
    ['{ ...a, b }', '{ ...null, ...a, b }'],
    ['{...a, ...b}', '{...null, ...a, ...b}'],
    ['{ ...{ ...a, b }, c: [{ ...b, a }] }', '{ ...null, ...{ ...null, ...a, b }, c: [{ ...null, ...b, a }] }'],
    ["{ ...a, b: '{ ...a, b }', é: `{ ...b, a }` }", "{ ...null, ...a, b: '{ ...a, b }', é: `{ ...b, a }` }"],
  ] as const)
    t.equal(change(code), expected)
  for (const code of ['{ ...a }', '{ b, ...a }', '{ b }', '[...a, b]', '({ a, ...rest }) => rest', "'{ ...a, b }'"])
    t.equal(change(code), code)
})

t.test('its value and the order of its fields stay the same', async t => {
  const fields = fc.dictionary(fc.string({ maxLength: 2 }), fc.oneof(fc.integer(), fc.string(), fc.constant(undefined)))
  const spread = fc.oneof(fields, fc.constantFrom(null, undefined, 'text', [1, 2]))
  const texts = [
    '{ ...a, b: 1 }',
    '{ ...a, ...b }',
    '{ ...a, get c() { return 1 }, ...{ ...b, a } }',
    '{ ...a, [0]: b }',
  ]
  fc.assert(
    fc.property(spread, spread, (a, b) => {
      for (const code of texts) {
        const [before, after] = [run(code)(a, b), run(change(code))(a, b)]
        t.strictSame(Object.entries(after), Object.entries(before))
        t.equal(Object.getPrototypeOf(after), Object.prototype)
      }
    }),
    { numRuns: 50 },
  )
})

t.test('the objects then share a hidden class', async t => {
  setFlagsFromString('--allow-natives-syntax')
  const areAlike = new Function('a', 'b', 'return %HaveSameMap(a, b)') as (a: unknown, b: unknown) => boolean
  const alikeOf = (code: string) => {
    const make = run(code)
    const made = Array.from({ length: 100 }, (_, n) => make({ n, text: `${n}` }, n))
    return made.slice(1).filter((one, i) => areAlike(one, made[i])).length
  }
  t.ok(alikeOf(change('{ ...a, b }')) > 90)
  const isNode20 = process.versions.node.startsWith('20.')
  if (isNode20) t.ok(alikeOf('{ ...a, b }') < 50, 'without the change they do not')
  else t.ok(alikeOf('{ ...a, b }') > 90, 'not needed without Node 20')
})
