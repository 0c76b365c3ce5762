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
  t.same(found('// createWrite() is called elsewhere', 'server/app.ts'), [])
})
