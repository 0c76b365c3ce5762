import t from 'tap'
import { brokenFiles } from './files.js'
import { sourcesIn } from './sources.js'

t.test('every file keeps to the rules of the house', async t => {
  const sources = sourcesIn(['shared', 'server', 'bench', 'test'], ['.ts', '.tsx', '.mjs', '.lua', '.sql'])
  t.same(brokenFiles(sources), [])
})

t.test('the law finds', async t => {
  const broken = (text: string, path = 'server/x.ts') => brokenFiles([{ path, text }])
  const mark = 'TO' + 'DO'

  t.test('marks of unfinished work, in comments, too', async t => {
    t.match(broken(`const a = 1 // ${mark}: better`), [/^server\/x\.ts:1 has an unfinished mark/])
    t.match(broken(`-- ${mark}`, 'server/store/migrations/0001-x.sql'), [/unfinished/])
    t.same(broken("const method = 'to' + 'do'"), [])
  })
  t.test('a timer that repeats work, where no job does', async t => {
    t.match(broken('setInterval(prune, 1000)', 'server/actions/files/x.ts'), [/:1 repeats work by a timer/])
    t.match(broken('setInterval(prune, 1000)', 'server/app.ts'), [/repeats/])
    for (const path of ['jobs/x', 'realtime/feed/x', 'monitor/x', 'supervisor/x', 'http/body'])
      t.same(broken('setInterval(look, 1000)', `server/${path}.ts`), [], path)
  })
  t.test('the type any, wherever a type stands', async t => {
    for (const code of [
      'let a: any',
      'f(b as any)',
      'new Map<string, any>()',
      'x as unknown as any[]',
      'type A = any',
      'const f = (a: string | any) => a',
    ]) {
      t.match(broken(`{\n${code}\n}`), [/:2 uses the type any/], code)
    }
  })
  t.test('no any in words, names and excuses with a reason', async t => {
    t.same(broken("// : any\nconst a = ': any'\nPromise.any([])\nconst [any] = [5]\nif (any === 5) f(any)"), [])
    t.same(broken('// biome-ignore lint/suspicious/noExplicitAny: payloads differ\nconst a: any = 1'), [])
    t.match(broken('// biome-ignore lint/suspicious/noExplicitAny:\nconst a: any = 1'), [/any/], 'no reason, no excuse')
  })
  t.test('checks of types that were switched off', async t => {
    t.match(broken(`// @ts-${'ignore'}\nf()`), [/switches/])
  })
  t.test('private members in another way than `private x`', async t => {
    t.match(broken('class A {\n  #x = 5\n}'), [/:2 writes a private member/])
    t.match(broken('this.#x()'), [/:1 writes a private member/])
    t.same(broken("class A {\n  private x = '#x'\n}"), [])
  })
  t.test('default exports', async t => {
    t.match(broken('export default 5'), [/default export/])
  })
  t.test('SQL outside of the store', async t => {
    const statement = 'const rows = await sql<User[]>`\n  select id from users`'
    t.match(broken(statement, 'server/api/users/x.ts'), [/:1 writes SQL/])
    t.same(broken(statement, 'server/store/users/users.ts'), [])
  })
  t.test('SQL as a text beside the functions for it', async t => {
    t.match(broken("await tx.unsafe('drop table x')", 'server/store/users/users.ts'), [/:1 runs SQL that is a text/])
    t.same(broken('await tx.unsafe(text)', 'server/store/driver/statement-text.ts'), [])
  })
  t.test('answers that are ended beside the function for it', async t => {
    for (const code of ['res.endWithoutBody(undefined, true)', "request.res.end('')", 'res.tryEnd(bytes, 5)']) {
      t.match(broken(code, 'server/http/tus/x.ts'), [/:1 ends an answer/], code)
      t.same(broken(code, 'server/http/write-answer.ts'), [])
    }
  })
  t.test('policies that wait', async t => {
    t.match(broken('export async function mayRead() {}', 'server/policies/x.ts'), [/:1 waits in a policy/])
    t.match(broken('export const mayRead = (): Promise<boolean> => read()', 'server/policies/x.ts'), [/waits/])
    t.same(broken('export async function findChannel() {}', 'server/lookups/x.ts'), [])
    t.same(broken('// A policy does not await.', 'server/policies/x.ts'), [])
  })
  t.test('names of files that say nothing, or are not kebab-case', async t => {
    t.match(broken('', 'server/string-utils.ts'), [/by the thing/])
    t.match(broken('', 'server/queueManager.ts'), [/kebab-case/])
    t.match(broken('', 'server/queue-manager.ts'), [/by the thing/])
    t.same(broken('', 'test/api/users/get-user.test.ts'), [])
  })
})
