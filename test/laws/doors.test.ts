import t from 'tap'
import { goesAround } from './doors.js'
import { sourcesIn } from './sources.js'

t.test('each of these things is done in one place', async t => {
  t.same(goesAround(sourcesIn(['server'], ['.ts'])), [])
})

t.test('the law finds a second place', async t => {
  const found = (text: string, path: string) => goesAround([{ path, text }])
  t.match(found('const write = createWrite({ sql })', 'server/admin/x.ts'), [
    /^server\/admin\/x\.ts:1 builds a context/,
  ])
  t.same(found('const write = createWrite({ sql })', 'server/build-context.ts'), [])
  t.match(found('const user = await applicant.identify(keys)', 'server/http/tus/x.ts'), [/:1 admits a caller/])
  t.match(found('  route.allow(actor)', 'server/http/pipeline.ts'), [/decides who may use/])
  t.match(found('const user = keys.current(before)', 'server/http/x.ts'), [/still valid/])
  t.match(found('    insert into messages (id)', 'server/store/messages/x.ts'), [/inserts messages/])
  t.same(found('// createWrite() is called elsewhere', 'server/app.ts'), [])
})
