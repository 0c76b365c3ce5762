import t from 'tap'
import { renderAtOnce } from '../../server/text/markdown.js'
import { someNames } from './some-names.js'

const html = (text: string) => renderAtOnce(text, someNames).html
const code = (text: string, language = '') =>
  `<div class="codehilite"${language && ` data-code-language="${language}"`}><pre><span></span><code>${text}</code></pre></div>`

t.test('a fence of backticks or tildes holds code', async t => {
  t.equal(html('```\na **b**\n```'), code('a **b**\n'))
  t.equal(html('~~~\n```\n~~~'), code('```\n'))
  t.equal(html('```` \n```\n````'), code('```\n'))
  t.equal(html('```\nnever closed'), code('never closed\n'))
  t.equal(html('    indented'), code('indented\n'))
})

t.test('a language is called by its name', async t => {
  t.equal(html('```py\nx\n```'), code('x\n', 'Python'))
  t.equal(html('``` TypeScript extra\nx\n```'), code('x\n', 'TypeScript'))
  t.equal(html('```brainfork\nx\n```'), code('x\n', 'brainfork'))
  t.equal(html('```constructor\nx\n```'), code('x\n', 'constructor'))
})

t.test('markup stays out of code and its language', async t => {
  t.equal(html('```x\n</code><b>\n```'), code('&lt;/code&gt;&lt;b&gt;\n', 'x'))
  t.match(html('```"><script>\nx\n```'), '&lt;script&gt;', 'no word of a language')
})

t.test('three backticks within a line are code in the line', async t => {
  t.equal(html('```x```'), '<p><code>x</code></p>')
})

t.test('a quote fence is a quotation, and may hold code', async t => {
  t.equal(html('```quote\na\n```\nb'), '<blockquote>\n<p>a</p>\n</blockquote>\n<p>b</p>')
  t.equal(
    html('```quote\na\n```js\nb\n```\nc\n```\nd'),
    `<blockquote>\n<p>a</p>\n${code('b\n', 'JavaScript')}\n<p>c</p>\n</blockquote>\n<p>d</p>`,
  )
})

t.test('a longer fence quotes a quotation', async t => {
  const inner = '<blockquote>\n<p>a</p>\n</blockquote>'
  t.equal(html('````quote\n```quote\na\n```\nb\n````'), `<blockquote>\n${inner}\n<p>b</p>\n</blockquote>`)
})

t.test('what a quoted text leaves open does not keep its quotation open', async t => {
  for (const open of ['~~~', '```', '```js', '```quote', '~~~\n`````', '```spoiler x\n~~~\n```'])
    t.match(html(`\`\`\`\`\`\`quote\n${open}\na\n\`\`\`\`\`\`\nb`), /<\/blockquote>\n<p>b<\/p>$/, open)
  // The quotation has no longer fence than the inner block, so its marker inside that block is code.
  t.equal(html('```quote\n~~~\n```\n~~~\n```\nb'), `<blockquote>\n${code('```\n')}\n</blockquote>\n<p>b</p>`)
})

t.test('a spoiler has a header and a hidden part', async t => {
  t.equal(
    html('```spoiler The *end*\nsecret\n```'),
    '<div class="spoiler-block"><div class="spoiler-header">\n<p>The <em>end</em></p>\n</div>' +
      '<div class="spoiler-content" aria-hidden="true">\n<p>secret</p>\n</div></div>',
  )
  t.match(html('```spoiler\nx\n```'), '<div class="spoiler-header">\n</div>')
  t.match(html('```spoiler never closed\nx'), '<p>x</p>\n</div></div>')
})

t.test('a word that only begins like a fence word is a language', async t => {
  t.equal(html('```quotes\na\n```'), code('a\n', 'quotes'))
  t.equal(html('```spoilers\na\n```'), code('a\n', 'spoilers'))
})

t.test('an open fence ends with its list item', async t => {
  t.match(html('- ```\n  a\n\nb'), '<p>b</p>')
  t.match(html('- ```quote\n  a\n\nb'), '<p>b</p>')
})

t.test('a fence in a list item may be indented as by other writers', async t => {
  const item = (text: string, more = '') => `<li>${text}${code('x\n')}${more}\n</li>`
  const fence = (indent: string) => `${indent}\`\`\`\n${indent}x\n${indent}\`\`\``
  for (const indent of ['  ', '   ', '    ', '     ', '\t']) {
    t.equal(html(`- a\n${fence(indent)}`), `<ul>\n${item('a')}\n</ul>`, JSON.stringify(indent))
    t.equal(html(`1. a\n${fence(indent)}\n2. b`), `<ol>\n${item('a')}\n<li>b</li>\n</ol>`, JSON.stringify(indent))
  }
  t.equal(html(`- a\n${fence('   ')}\n   after`), `<ul>\n${item('a', '\n<p>after</p>')}\n</ul>`)
  t.equal(html(`10. a\n${fence('    ').replaceAll('`', '~')}`), `<ol start="10">\n${item('a')}\n</ol>`)
  t.match(html(`- a\n  - b\n${fence('      ')}`), `<li>b${code('x\n')}\n</li>`)
  t.match(html('- a\n   ```\n   x\n     y\n   ```'), code('x\n  y\n'), 'the code keeps its own indentation')
  t.match(html('- a\n   ```\n  x\n    ```\n- b'), code('x\n'))
  for (const indent of [' ', '   ']) t.notMatch(html(`a\n${fence(indent)}`), 'codehilite', 'outside of a list')
})

t.test('a fence without a line is nothing, also as a whole message', async t => {
  for (const text of ['```', '```\n', '```\n```', '~~~', '````', '```py', '```quote\n```', '```spoiler x\n```']) {
    t.equal(html(text), '', JSON.stringify(text))
  }
  t.equal(html('``'), '<p>``</p>')
  t.equal(html('```\n\n```'), code('\n'))
})

t.test('below the greatest depth text stays text', async t => {
  const out = html(`${'>'.repeat(100)} deep`)
  t.match(out, 'deep')
  t.equal(out.split('<blockquote>').length, 17)
})

t.test('the text of an item is whole, however long its number', async t => {
  t.equal(html('2024. one\n2025. two'), '<ol start="2024">\n<li>one</li>\n<li>two</li>\n</ol>')
  t.equal(html('in\n2024. one'), '<p>in<br>\n2024. one</p>', 'a line break put the number there')
})

t.test('items of another kind are another list, and a quotation or a heading ends a list', async t => {
  t.equal(html('- a\n1. b'), '<ul>\n<li>a</li>\n</ul>\n<ol>\n<li>b</li>\n</ol>')
  t.equal(html('- a\n> b'), '<ul>\n<li>a</li>\n</ul>\n<blockquote>\n<p>b</p>\n</blockquote>')
  t.equal(html('1. a\n# b'), '<ol>\n<li>a</li>\n</ol>\n<h1>b</h1>')
})

t.test('marks without a text are no blocks', async t => {
  for (const text of ['-', '1.', '#', '>', '> >', '##', '```quote\n```', '```spoiler x\n\n```', '```\n```']) {
    t.notMatch(html(text), /<(?:ul|ol|h\d|blockquote|div)/, text)
  }
})

t.test('a table has a cell in each column, and code keeps its bars', async t => {
  t.match(html('|a|b|\n|-|-|\n|1|\n|1|2|3|'), '<td>1</td>\n<td></td>\n</tr>\n<tr>\n<td>1</td>\n<td>2</td>\n</tr>')
  t.match(html('|a|\n|-|\n|`x|y``|`|\n'), '<td><code>x|y``|</code></td>')
  t.match(html('|a|\n|-|\n|x\\|y|'), '<td>x|y</td>')
  for (const text of ['|a|\n|-|-|', '|a|\nb', 'a\n-', '|a|\n|:|', 'x\n|a|\n|-|']) t.notMatch(html(text), '<table', text)
})
