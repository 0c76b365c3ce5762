// What the strictest clients accept: the examples do, and each defect that once reached such a client is found.
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import t from 'tap'
import { unreadable } from '../support/strict-html.js'
import { organization } from './message-html/organization.js'
import { renderAll } from './render-all.js'

const examples = JSON.parse(readFileSync('test/text/message-html/examples.json', 'utf8')) as Record<
  string,
  [source: string, html: string][]
>

t.test('every example is readable, except for the error form of formulas', async t => {
  for (const [source, html] of Object.values(examples).flat()) {
    const problems = unreadable(html)
    t.same(
      problems.filter(problem => !problem.includes('"tex-error"')),
      [],
      source,
    )
  }
})

t.test('what clients cannot read is found', async t => {
  const bad = [
    '<p>a\nb</p>',
    '<p>a<br>b</p>',
    '<p>a</p>text<p>b</p>',
    '<ul>\n<li>a\n<ul>\n<li>b</li>\n</ul>\n</li>\n</ul>',
    '<table>\n<thead>\n<tr>\n<th>a</th>\n</tr>\n</thead>\n</table>',
    '<table>\n<thead>\n<tr>\n<th>a</th>\n</tr>\n</thead>\n<tbody>\n</tbody>\n</table>',
    '<table>\n<thead>\n<tr>\n<th style="text-align:left">a</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>b</td>\n</tr>\n</tbody>\n</table>',
    '<table>\n<thead>\n<tr>\n<th>a</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>b</td>\n<td>c</td>\n</tr>\n</tbody>\n</table>',
    '<p><span class="timestamp-error">x</span></p>',
    '<p><span class="katex-text">x</span></p>',
    '<p><span class="katex"><span class="katex-mathml">x</span></span></p>',
    '<p><time datetime="2026-04-02T10:30:00+02:00">x</time></p>',
    '<p><a>x</a></p>',
    '<p><a class="external" href="https://a.example">x</a></p>',
    '<p><a class="stream" href="/#narrow">x</a></p>',
    '<p><span class="emoji emoji-2764-fe0f" role="img">:heart:</span></p>',
    '<p><span class="user-mention">@x</span></p>',
    '<p><span class="user-group-mention" data-user-group-id="x">@x</span></p>',
    '<p><code class="x">a</code></p>',
    '<p><b>a</b></p>',
    '<div class="codehilite">\n<pre><code>a\n</code></pre></div>',
    '<div class="codehilite"><pre><span></span><code><span class="hljs-keyword">a</span>\n</code></pre></div>',
    '<div class="codehilite"><pre><span></span><code><span class="k"><span class="n">a</span></span>\n</code></pre></div>',
    '<div class="spoiler-block">\n<div class="spoiler-header">\n</div><div class="spoiler-content">\n</div></div>',
    '<div class="table">x</div>',
    '<ol start="-1">\n<li>a</li>\n</ol>',
    '<ul>a</ul>',
  ]
  for (const html of bad) t.ok(unreadable(html).length > 0, html)
})

const marks = (
  '> |- |* |1. |3. |# |\n|\n\n|```\n|```quote\n|```spoiler head\n|```math\n|```js\n|~~~\n|**|*|~~|`|$$|x^2|\\frac{1}{2}|\\oops|@**Mira Solberg**|' +
  '@_**Mira Solberg**|@**all**|@*support crew*|#**design team**|#**design team>logo v2**|:smile:|:heart:|:party_llama:|👍🏽|❤️|' +
  '<time:1775125800>|<time:x>|[a](https://a.example)|[](https://a.example)|[t]()|https://b.example/x|let a = 1|---|===|    |  |\t|word'
).split('|')
const table = fc.constantFrom('|a|b|\n|:-|-:|\n', '|a|\n|-|\n|b|\n', 'a | b\n-|-\nx', '| c | d | e |\n')
const source = fc
  .array(fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...marks) }, table), { maxLength: 30 })
  .map(parts => parts.join(''))

t.test('any text becomes HTML that clients can read', async t => {
  fc.assert(
    fc.property(source, text => {
      const { html } = renderAll(text, organization)
      // The strictest client shows a formula that is not valid as an error, whatever is around it.
      const problems = html.includes('class="tex-error"') ? [] : unreadable(html)
      if (problems.length > 0) throw new Error(`${problems.join('; ')} in ${html}`)
    }),
    { numRuns: 1000, examples: [['3. > \n    text'], ['- text\n  > quote\n\n  text']] },
  )
  t.pass('no counterexample')
})
