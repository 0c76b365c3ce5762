import t from 'tap'
import {
  type Change,
  codeBlock,
  continueList,
  type Format,
  format,
  isInCode,
  looksLikeCode,
  type Selected,
} from '../../../server/web/state/formatting.js'

/** `[` and `]` show the selection, a lone `|` the cursor. */
function read(marked: string): Selected {
  const cursor = marked.indexOf('|')
  if (cursor >= 0) return { text: marked.replace('|', ''), start: cursor, end: cursor }
  const start = marked.indexOf('⟦')
  const end = marked.indexOf('⟧') - 1
  return { text: marked.replace(/[⟦⟧]/g, ''), start, end }
}

function shown({ text }: Selected, { from, to, insert, start, end }: Change): string {
  const after = text.slice(0, from) + insert + text.slice(to)
  return start === end
    ? `${after.slice(0, start)}|${after.slice(start)}`
    : `${after.slice(0, start)}⟦${after.slice(start, end)}⟧${after.slice(end)}`
}

const done = (marked: string, wanted: Format): string => shown(read(marked), format(read(marked), wanted))

t.test('a format is put around the selected text, and taken away again', async t => {
  t.equal(done('a ⟦word⟧ b', 'bold'), 'a **⟦word⟧** b')
  t.equal(done('a **⟦word⟧** b', 'bold'), 'a ⟦word⟧ b')
  t.equal(done('a ⟦**word**⟧ b', 'bold'), 'a ⟦word⟧ b')
  t.equal(done('⟦word⟧', 'italic'), '*⟦word⟧*')
  t.equal(done('*⟦word⟧*', 'italic'), '⟦word⟧')
  t.equal(done('**⟦word⟧**', 'italic'), '***⟦word⟧***', 'bold text becomes italic, too')
  t.equal(done('***⟦word⟧***', 'italic'), '**⟦word⟧**')
  t.equal(done('⟦word⟧', 'strike'), '~~⟦word⟧~~')
  t.equal(done('|', 'bold'), '**|**')
  t.equal(done('⟦ word ⟧', 'bold'), ' **⟦word⟧** ', 'white space stays outside')
  t.equal(done('⟦***⟧', 'bold'), '**⟦***⟧**', 'asterisks alone are a text')
})

t.test('a link asks for what it lacks', async t => {
  t.equal(done('see ⟦this⟧', 'link'), 'see [this](⟦https://⟧)')
  t.equal(done('see ⟦https://a.example/b⟧', 'link'), 'see [|](https://a.example/b)')
  t.equal(done('|', 'link'), '[](⟦https://⟧)')
})

t.test('code is marked with more backticks than it holds', async t => {
  t.equal(done('⟦x⟧', 'code'), '`⟦x⟧`')
  t.equal(done('⟦a`b⟧', 'code'), '``⟦a`b⟧``')
  t.equal(done('⟦`⟧', 'code'), '`` ⟦`⟧ ``')
  t.equal(done('see ⟦a\nb⟧', 'code'), 'see \n```\na\nb\n```|')
  t.equal(done('⟦```\nx\n```⟧', 'code'), '````\n```\nx\n```\n````|')
  const given = { text: 'before\na\nb\nafter', start: 7, end: 11 }
  t.equal(shown(given, codeBlock(given)), 'before\n```\na\nb\n```\n|after'.replace('\n|', '|\n'))
})

t.test('quotes and lists begin each selected line, and no line twice', async t => {
  t.equal(done('one\n⟦two\nthree⟧', 'quote'), 'one\n⟦> two\n> three⟧')
  t.equal(done('⟦> two\n> three⟧', 'quote'), '⟦two\nthree⟧')
  t.equal(done('⟦a\nb⟧', 'numbers'), '⟦1. a\n2. b⟧')
  t.equal(done('a|', 'list'), '- a|')
  t.equal(done('- a|', 'list'), 'a|')
  t.equal(done('|', 'list'), '- |')
})

const next = (marked: string): string | undefined => {
  const given = read(marked)
  const change = continueList(given.text, given.start)
  return change && shown(given, change)
}

t.test('a new line continues a list, and ends it in an empty entry', async t => {
  t.equal(next('- one|'), '- one\n- |')
  t.equal(next('  * one|'), '  * one\n  * |')
  t.equal(next('9. nine|'), '9. nine\n10. |')
  t.equal(next('1) one|\n2) two'), '1) one\n2) |\n2) two')
  t.equal(next('> said|'), '> said\n> |')
  t.equal(next('- one|more'), '- one\n- |more')
  t.equal(next('- one\n- |'), '- one\n|')
})

t.test('elsewhere a new line is nothing but that', async t => {
  for (const text of ['|', 'one|', '-one|', '|- one', '-|', '1.5 x|', '```\n- one|', '**a**|'])
    t.equal(next(text), undefined, text)
  t.notOk(isInCode('```\na\n```\nb', 11))
  t.ok(isInCode('~~~~\n~~~\nb', 10), 'a shorter fence closes no longer one')
})

t.test('several lines that mostly look like code are taken for code', async t => {
  for (const code of [
    'const a = 1;\nlet b = a;',
    'def f(x):\n    return x',
    '{\n  "a": 1\n}',
    'SELECT 1;\nselect a\n  from b;',
    '<p>\n  x\n</p>',
    'if (a) {\n\n  b()\n}',
  ])
    t.ok(looksLikeCode(code), code)
  for (const prose of [
    '',
    'const a = 1;',
    'Dear all,\nthe trains leave at nine.\nSee you there.',
    '- one\n- two',
    '```\nconst a = 1;\nlet b;\n```',
    'Who brings the projector?\nAnd who (if anyone) the cake?',
  ])
    t.notOk(looksLikeCode(prose), prose)
})
