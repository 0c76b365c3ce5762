import { readFileSync } from 'node:fs'
import t from 'tap'
import { renderAll } from '../render-all.js'
import { organization } from './organization.js'

/** Source and HTML by the headings of docs/protocol/message-html.md. */
const examples = JSON.parse(readFileSync('test/text/message-html/examples.json', 'utf8')) as Record<
  string,
  [source: string, html: string][]
>

for (const [heading, pairs] of Object.entries(examples)) {
  t.test(`${heading}: each source has exactly the HTML that clients parse`, async t => {
    for (const [source, html] of pairs) t.equal(renderAll(source, organization).html, html, source)
  })
}
