import t from 'tap'
import { fileOf, linkTo, mostFiles, partsOf, textOf, withFile } from '../../../server/web/state/attached-files.js'

const plan = '[plan.pdf](/user_uploads/1/ab/one/plan.pdf)'
const map = '[a map.png](/user_uploads/1/cd/two/a_map.png)'

t.test('lines of files behind the words stand apart from them', async t => {
  t.same(partsOf(`hello\n\n${plan}\n${map}`), { words: 'hello', files: [plan, map] })
  t.same(partsOf(plan), { words: '', files: [plan] })
  t.same(partsOf(''), { words: '', files: [] })
})

t.test('drafts of earlier pages have several files in a line, and none of their own', async t => {
  t.same(partsOf(`${plan} ${map} `), { words: '', files: [plan, map] })
  t.same(partsOf(`see\n${plan} ${map} `), { words: 'see', files: [plan, map] })
})

t.test('a file in a sentence, or before words, is a part of the words', async t => {
  for (const text of [`see ${plan}`, `${plan} is new`, `${plan}\nis new`, `- ${plan}`, `> ${plan}`, `${plan}\n\n`])
    t.same(partsOf(text), { words: text, files: [] })
})

t.test('other links are words', async t => {
  for (const text of [
    '[site](https://example.com/user_uploads/1/ab/x)',
    '[a](/user_avatars/1)',
    '[a](/user_uploads/1/ab/x "title")',
    '[[a](/user_uploads/1/ab/x)',
    '![a](/user_uploads/1/ab/x)',
    '[a](/user_uploads/1/ab/x',
  ])
    t.same(partsOf(text), { words: text, files: [] })
})

t.test('words and files give the text again, whatever the words are', async t => {
  for (const words of ['', 'hello', 'two\nlines', 'ends with a break\n', '\n', '\n\n', '- a list', `see ${map}`])
    for (const files of [[], [plan], [plan, map], [plan, plan]])
      t.same(partsOf(textOf({ words, files })), { words, files }, JSON.stringify([words, files.length]))
})

t.test('a file is added behind the others', async t => {
  t.equal(withFile('', plan), plan)
  t.equal(withFile('hello', plan), `hello\n\n${plan}`)
  t.equal(withFile(`hello\n\n${plan}`, map), `hello\n\n${plan}\n${map}`)
})

t.test('more files than a message may have stay in the words', async t => {
  const { words, files } = partsOf(
    Array(mostFiles + 2)
      .fill(plan)
      .join('\n'),
  )
  t.equal(files.length, mostFiles)
  t.equal(words, `${plan}\n${plan}`)
})

t.test('a name cannot end its link', async t => {
  const address = '/user_uploads/1/ab/one/x.png'
  for (const name of ['map [1].png', 'a](b.png', 'back\\slash', ']', '', '*bold*', '<b>', 'مرحبا.png', 'two\nlines']) {
    const markdown = linkTo({ name, address })
    t.same(partsOf(markdown).files, [markdown], name)
    t.same(fileOf(markdown), { name: name.replace(/[[\]\\\n]/g, '_'), address })
  }
})

t.test('a long text of brackets is parted quickly', async t => {
  const text = '[a](/user_uploads/x) '.repeat(5000) + '['.repeat(50_000)
  t.same(partsOf(text), { words: text, files: [] })
})
