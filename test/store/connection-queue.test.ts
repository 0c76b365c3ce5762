import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import fc from 'fast-check'
import t from 'tap'

interface Queue {
  readonly length: number
  push(value: number): void
  shift(): number | undefined
  pop(): number | undefined
  remove(value: number): void
}

interface Patch {
  readonly file: string
  readonly from: string
  readonly to: string
}

const script = new URL('../../../server/bin/packages.mjs', import.meta.url)
const { patched, patches } = (await import(script.href)) as {
  patched(code: string, patch: Patch): string
  patches: readonly Patch[]
}
const patch = patches.find(one => one.file === 'postgres/src/queue.js') as Patch
const file = createRequire(import.meta.url)
  .resolve('postgres')
  .replace(/postgres\/.*$/, 'postgres/src/queue.js')
const installed = readFileSync(file, 'utf8')
const original = installed.replace(patch.to, patch.from)
const load = async (code: string) =>
  (await import(`data:text/javascript,${encodeURIComponent(code)}`)).default as (initial?: number[]) => Queue

/** The longest list behind a queue that always keeps one value while others come and go. */
async function longestOf(code: string): Promise<number> {
  let longest = 0
  class Watched extends Array<number> {
    override push(...values: number[]): number {
      longest = Math.max(longest, this.length)
      return super.push(...values)
    }
  }
  const queue = (await load(code))(Watched.of(1, 2))
  for (let at = 0; at < 1000; at++) queue.push(queue.shift() as number)
  return longest
}

t.test('the list of idle connections does not grow with each query', async t => {
  t.ok((await longestOf(installed)) < 8)
  t.ok((await longestOf(original)) > 900, 'without the patch it does; if not, the patch can go')
})

t.test('the patched queue gives its first or its last value', async () => {
  const make = await load(installed)
  const step = fc.oneof(
    fc.record({ push: fc.nat(9) }),
    fc.record({ remove: fc.nat(9) }),
    fc.constantFrom('shift' as const, 'pop' as const),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), steps => {
      const queue = make()
      const model: number[] = []
      return steps.every(step => {
        if (typeof step === 'string') {
          if (model.length > 0 && queue[step]() !== model[step]()) return false
        } else if ('push' in step) {
          // A connection is in a list once.
          if (model.includes(step.push)) return true
          queue.push(step.push)
          model.push(step.push)
        } else {
          queue.remove(step.remove)
          if (model.includes(step.remove)) model.splice(model.indexOf(step.remove), 1)
        }
        return queue.length === model.length
      })
    }),
  )
})

t.test('a patch is applied once, and a package that it does not fit stops the installation', async t => {
  t.equal(patched(original, patch), installed)
  t.equal(patched(installed, patch), installed)
  t.throws(() => patched('export default 1', patch), /does not fit/)
})
