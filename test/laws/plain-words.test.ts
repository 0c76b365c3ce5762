import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { projectRoot } from '../../server/config/paths.js'
import { notPlain } from './plain-words.js'
import { sourcesIn } from './sources.js'

const endings = ['.ts', '.tsx', '.mjs', '.js', '.lua', '.sql', '.conf', '.service', '.md']

t.test('code, pages and titles of tests are in plain words', async t => {
  const sources = sourcesIn(['shared', 'server', 'bench', 'docs'], endings)
  const tests = sourcesIn(['test'], ['.test.ts', '.md'])
  const readme = { path: 'README.md', text: readFileSync(join(projectRoot, 'README.md'), 'utf8') }
  t.ok(sources.length > 600 && tests.length > 200, 'the files were found')
  t.same(notPlain([...sources, ...tests, readme]), [])
})

t.test('words without a subject are found', async t => {
  const found = (path: string, text: string) =>
    notPlain([{ path, text }]).map(line => line.split(':')[1]?.split(' ')[0])
  const wrong = ['Nobody reads it.', 'whoever asks', 'told to everybody', 'users whom it knows', 'the client is told']
  for (const text of wrong) t.same(found('server/a.ts', `// one\n// ${text}`), ['2'], text)
  t.test('also in the title of a test, but not in its body', async t => {
    const titled = (title: string): string => `t.test(${JSON.stringify(title)}, () => {\n  say('Nobody reads.')\n})\n`
    t.same(found('test/a.test.ts', titled('for a user') + titled('for everyone')), ['4'])
  })
  t.test('but names of the protocol are not', async t => {
    t.same(found('server/b.ts', 'The mention `@**everyone**`, the group role:nobody, and the word `everyone`.'), [])
  })
})
